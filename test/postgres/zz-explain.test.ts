import { afterAll, beforeAll, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { walk } from '../../src/postgres/ledger-walk.ts';
import { openTestDatabase } from '../support/database.ts';
import { edgeOf, pageOf, toId, viewOf, writeGraph } from '../support/seed-graph.ts';
let database: any;
beforeAll(async () => { database = await openTestDatabase(); });
afterAll(() => database.close());
test('x', async () => {
  const tenant = 'hub'; const names = Array.from({ length: 5000 }, (_, i) => i);
  await writeGraph(database, { tenant, pages: [pageOf(tenant, 'hub'), ...names.map(i => pageOf(tenant, `s${i}`, { id: toId(tenant, 'spoke', i) }))], edges: names.map(i => edgeOf(tenant, `hub CAUSES s${i}`, 7, { toId: toId(tenant, 'spoke', i) })) });
  const out: string[] = [];
  const wrap = { query: async (s: any) => { const r = await database.query({ text: 'explain (analyze, buffers off) ' + s.text, values: s.values }); out.push(r.map((x: any) => x['QUERY PLAN']).join('\n')); return await database.query(s); } };
  await walk(wrap as any, viewOf(tenant), { from: [toId(tenant, 'hub')], kinds: ['CAUSES','FIXES','CONTRADICTS','SUPERSEDES'], direction: 'BOTH', depth: 1, maxPages: 100, fanOut: 50, where: {} });
  writeFileSync('/tmp/graph/ex.out', out.join('\n=====\n'));
});
