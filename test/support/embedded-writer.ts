import { openEmbedded } from '../../src/postgres/embedded/open.ts';

// A process to kill: opens the data folder of its argument and writes one row after the other,
// each as large as a page of text, printing its number once it is committed.

const database = await openEmbedded({ dataFolder: process.argv[2] ?? null });
await database.query({
  text: 'create table if not exists written (id int8 primary key, body text)',
});
for (;;) {
  const [row] = await database.transaction('WRITE', (connection) =>
    connection.query<{ id: number }>({
      name: 'written_insert',
      text: `
        insert into written (id, body)
        select coalesce(max(id), 0) + 1, repeat('x', 3000) from written
        returning id
      `,
    }),
  );
  process.stdout.write(`${row?.id}\n`);
}
