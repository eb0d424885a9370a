import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedEdges, seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;
let hintsEnabled = false;

const PAGES = {
  bug: { kind: 'PROBLEM', body: 'It fails.' },
  patch: { kind: 'FIX', body: '- fixes [[bug]]' },
  old: 'Before.',
  new: '- supersedes [[old]]',
  away: { body: 'Away.', archived: true },
  over: { body: 'Over.', validTo: '2020-01-01T00:00:00Z' },
  secret: { kind: 'PROBLEM', body: '- causes [[bug]]', sensitivity: 'RESTRICTED' },
} as const;

beforeAll(async () => {
  app = await openTestApp({ hintsEnabled: () => hintsEnabled });
  const project = await seedProject(app.stores, 'notes');
  const other = await seedProject(app.stores, 'other');
  const { bug, secret } = await seedPages(app.stores, project, PAGES);
  await seedPages(app.stores, project, { bug: PAGES.bug, secret: PAGES.secret });
  const { far } = await seedPages(app.stores, other, { far: 'Far.' });
  await seedEdges(app.stores, [[far, 'REFERENCES', bug]]);
  for (const id of [bug, secret, far]) {
    await app.database.query({
      text: `insert into evidence values ('local', $1, 'SESSION', 's1', 1)`,
      values: [id],
    });
  }
});
afterAll(() => app.close());

const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };
const OF_NOTES: Principal = { ...LOCAL_PRINCIPAL, name: 'of notes', projects: ['notes'] };
const STRANGER: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };

const STATUS = `{ status {
  pageCount pagesByKind { kind count } pagesByStatus { status count }
  edgeCount edgesByKind { kind count } evidenceCount evidenceBySource { source count }
  embedder embeddingBacklog projection { lagEvents lagSeconds failures isStuck }
  versions { postgres pgvector neo4j migration } rankingProfile gates { hintsEnabled }
} }`;

type Counts = readonly { readonly count: number }[];
type Told = {
  readonly pageCount: number;
  readonly pagesByKind: Counts;
  readonly pagesByStatus: Counts;
  readonly edgeCount: number;
  readonly edgesByKind: Counts;
  readonly evidenceCount: number;
  readonly evidenceBySource: Counts;
  readonly embeddingBacklog: number;
  readonly projection: unknown;
  readonly versions: unknown;
  readonly gates: unknown;
};

async function ask(as?: Principal) {
  const { data, errors } = await app.ask<{ status: Told }>(STATUS, {}, as);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.status;
}

/** `{ NOTE: 4 }` of a list of counts. */
function toNumbers(counts: Counts): object {
  return Object.fromEntries(counts.map(({ count, ...name }) => [Object.values(name)[0], count]));
}

async function numbersFor(as?: Principal) {
  const { pagesByKind, pagesByStatus, edgesByKind, evidenceBySource, ...totals } = await ask(as);
  return {
    pages: [totals.pageCount, toNumbers(pagesByKind), toNumbers(pagesByStatus)],
    edges: [totals.edgeCount, toNumbers(edgesByKind)],
    evidence: [totals.evidenceCount, toNumbers(evidenceBySource)],
  };
}

test('counts all that the tenant has for a caller who sees all of it', async () => {
  expect(await numbersFor()).toEqual({
    pages: [
      8,
      { PROBLEM: 2, FIX: 1, NOTE: 5 },
      { ACTIVE: 5, SUPERSEDED: 1, ARCHIVED: 1, EXPIRED: 1 },
    ],
    edges: [4, { FIXES: 1, SUPERSEDES: 1, CAUSES: 1, REFERENCES: 1 }],
    evidence: [5, { SESSION: 3, RECONSOLIDATION: 2 }],
  });
});

test('counts for a caller what they may see, and nothing that leads to anything else', async () => {
  expect(await numbersFor(PLAIN)).toEqual({
    pages: [
      7,
      { PROBLEM: 1, FIX: 1, NOTE: 5 },
      { ACTIVE: 4, SUPERSEDED: 1, ARCHIVED: 1, EXPIRED: 1 },
    ],
    edges: [3, { FIXES: 1, SUPERSEDES: 1, REFERENCES: 1 }],
    evidence: [3, { SESSION: 2, RECONSOLIDATION: 1 }],
  });
  expect(await numbersFor(OF_NOTES)).toMatchObject({
    pages: [7, { NOTE: 4, PROBLEM: 2, FIX: 1 }, { ACTIVE: 4 }],
    edges: [3, { FIXES: 1, SUPERSEDES: 1, CAUSES: 1 }],
    evidence: [4, { SESSION: 2, RECONSOLIDATION: 2 }],
  });
  expect(await numbersFor(STRANGER)).toEqual({
    ...{ pages: [0, {}, {}], edges: [0, {}], evidence: [0, {}] },
  });
});

test('tells what the stores are, how texts are ranked and encoded, and what is taken', async () => {
  const { versions, ...rest } = await ask();
  const migrations = readdirSync('migrations/postgres').toSorted();
  const isServer = inject('profile') === 'server';

  expect(versions).toMatchObject({
    postgres: expect.stringMatching(/^1\d\./u),
    pgvector: expect.stringMatching(/^\d+\.\d+/u),
    neo4j: isServer ? expect.stringMatching(/^\d+\.\d+/u) : null,
    migration: migrations.at(-1)?.replace('.sql', ''),
  });
  expect(rest).toMatchObject({
    embedder: app.stores.embedder.model,
    embeddingBacklog: 0,
    rankingProfile: 'baseline',
    gates: { hintsEnabled: false },
  });
});

test('reads the gate at each call', async () => {
  hintsEnabled = true;
  const open = await ask();
  hintsEnabled = false;

  expect(open.gates).toEqual({ hintsEnabled: true });
  expect((await ask()).gates).toEqual({ hintsEnabled: false });
});

test('tells how far the projection is behind, where there is one', async () => {
  // A reader of the graph waits for the projection.
  await app.ask('{ page(project: "notes", path: "bug") { causedBy { nodes { path } } } }');

  const { projection } = await ask();

  expect(projection).toEqual(
    inject('profile') === 'server'
      ? { lagEvents: 0, lagSeconds: 0, failures: 0, isStuck: false }
      : null,
  );
});

test('counts passages of another encoder as backlog, of pages that the caller sees', async () => {
  const setModel = (model: string) =>
    app.database.query({
      text: `update passage set model = $1 where page_id in (
        select id from page where path in ('bug', 'secret'))`,
      values: [model],
    });
  await setModel('another');

  expect((await ask()).embeddingBacklog).toBe(2);
  expect((await ask(PLAIN)).embeddingBacklog).toBe(1);
  await setModel(app.stores.embedder.model);
  expect((await ask()).embeddingBacklog).toBe(0);
});

test('costs the same statements whatever there is', async () => {
  const count = async () => {
    const before = app.database.statements;
    await ask();
    return app.database.statements - before;
  };
  const few = await count();
  const [, other] = await app.stores.projects.list('local', ['notes', 'other']);
  if (other === undefined) throw new Error('Expected the project.');
  await seedPages(
    app.stores,
    other,
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`more/${index}`, 'More.'])),
  );

  expect(await count()).toBe(few);
  expect(few).toBeLessThanOrEqual(8);
});

test('needs the scope to read', async () => {
  const writer: Principal = { ...LOCAL_PRINCIPAL, name: 'writer', scopes: ['memory:write'] };

  const { data, errors } = await app.ask('{ status { pageCount } }', {}, writer);

  expect(data.status).toBeNull();
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
