import type { Connection } from '../../src/postgres/connect.ts';

/**
 * What a store says, without what is new in every store: ids and the time of recording. Two stores
 * that were told the same have equal content.
 */
export async function readContent(connection: Pick<Connection, 'query'>): Promise<StoreContent> {
  const read = (text: string) => connection.query<Record<string, unknown>>({ text });
  return {
    pages: await read(`
      select project.name as project, p.path, p.version, p.kind, p.title, p.sensitivity,
        p.importance, p.tags, p.attributes, p.valid_from, p.valid_to, p.superseded,
        p.keyword::text as keyword
      from page p join project on project.id = p.project_id
      order by 1, 2
    `),
    versions: await read(`
      select p.path, v.version, v.kind, v.title, v.body, v.valid_from, v.valid_to,
        v.recorded_to = 253402300800000 as open
      from page_version v join page p on p.id = v.page_id
      order by 1, 2
    `),
    passages: await read(`
      select p.path, s.ordinal, s.start_offset, s.end_offset, md5(s.embedding::text) as embedding
      from passage s join page p on p.id = s.page_id
      order by 1, 2
    `),
    evidence: await read(`
      select p.path, e.source_kind, count(*) as rows
      from evidence e join page p on p.id = e.page_id
      group by 1, 2 order by 1, 2
    `),
    edges: await read(`
      select f.path as from, e.kind, t.path as to, e.note, e.in_body, e.asserted, e.valid_from,
        e.valid_to, e.recorded_to = 253402300800000 as active
      from edge e join page f on f.id = e.from_id join page t on t.id = e.to_id
      order by 1, 2, 3
    `),
    waiting: await read(`
      select from_path as from, kind, to_path as to, note, in_body, asserted, valid_from, valid_to
      from waiting_edge
      order by 1, 2, 3
    `),
  };
}

type StoreContent = Readonly<
  Record<
    'pages' | 'versions' | 'passages' | 'evidence' | 'edges' | 'waiting',
    readonly Readonly<Record<string, unknown>>[]
  >
>;

/** Every row of every table of ours, as JSON, with its table. */
export async function listStoredRows(
  connection: Pick<Connection, 'query'>,
): Promise<readonly { readonly table: string; readonly row: string }[]> {
  const tables = await connection.query<{ name: string; schema: string }>({
    text: `select table_name as name, table_schema as schema from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  });
  const rows = await Promise.all(
    tables.map(({ name, schema }) =>
      connection.query<{ table: string; row: string }>({
        text: `select '${name}' as table, row_to_json(t)::text as row from "${schema}"."${name}" t`,
      }),
    ),
  );
  return rows.flat();
}

/** All that is stored, as one text. */
export async function readWholeStore(connection: Pick<Connection, 'query'>): Promise<string> {
  return (await listStoredRows(connection)).map(({ row }) => row).join('\n');
}
