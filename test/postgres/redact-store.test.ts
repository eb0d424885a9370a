import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPages } from '../../src/memory/link-pages.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { putPerson } from '../../src/memory/put-person.ts';
import { recordObservation } from '../../src/memory/record-observation.ts';
import { redactStore, type TextStore } from '../../src/memory/redact-store.ts';
import { createRedactor } from '../../src/memory/redaction.ts';
import { reindex } from '../../src/memory/reindex.ts';
import { startSession } from '../../src/memory/start-session.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createIndexStore } from '../../src/postgres/index-store.ts';
import { findNewest } from '../../src/postgres/outbox.ts';
import { createTextStore } from '../../src/postgres/text-store.ts';
import { parsePatterns } from '../../src/read-patterns.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask } from '../support/recall.ts';
import { callerFor, seedPages, seedProject, write } from '../support/seed.ts';
import { readWholeStore } from '../support/store-content.ts';

/** Known to no built-in shape; a pattern for it comes later than the texts. No random id has such letters. */
const CODE = 'zebra-quagga';
const redactor = createRedactor(parsePatterns('badge: zebra-[a-z]{6}'));
const OTHERS = { ...LOCAL_PRINCIPAL, tenant: 'others' };

let database: Database;
let stores: Stores;
let texts: TextStore;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
  texts = createTextStore(database, Date.now);
  const project = await seedProject(stores, 'staff');
  await database.query({
    text: `update project set description = $1`,
    values: [`The badge is ${CODE}.`],
  });
  const ids = await seedPages(stores, project, {
    old: { body: `An early badge was ${CODE}.` },
    now: { title: `Badge ${CODE}`, body: `See [[old]] and ${CODE}`, tags: [CODE, 'zebra-okapis'] },
    clean: 'A page about quolls.',
  });
  await seedPages(stores, project, { old: 'An early badge was lost.' });
  await write(stores, {
    pages: [
      {
        projectId: project.id,
        path: 'deep',
        title: 'Deep',
        hints: [`who has ${CODE}`],
        attributes: { list: [{ [CODE]: CODE }], count: 1 },
      },
    ],
    idempotencyKey: 'k',
  });
  await linkPages(stores, await callerFor(stores), {
    edges: [{ kind: 'CAUSES', fromId: ids.now, toId: ids.old, note: `because of ${CODE}` }],
    idempotencyKey: 'e',
  });
  const caller = await callerFor(stores);
  const sessionId = await startSession(stores, caller, {
    projectId: project.id,
    agent: 'claude',
    task: `Find ${CODE}`,
  });
  await recordObservation(stores, caller, { sessionId, text: `It is ${CODE}.` });
  await putPerson(stores, caller, { name: `Ann ${CODE}`, aliases: [CODE] });
  const theirs = await seedProject(stores, 'theirs', OTHERS);
  await seedPages(stores, theirs, { a: `Also ${CODE}` }, OTHERS);
});
afterAll(() => database.close());

test('redacts every stored text of every tenant, past versions too, and says what it changed', async () => {
  const before = await findNewest(database, 'local');

  const counts = await redactStore({ texts, redactor });
  await reindex({ indexes: createIndexStore(database), embedder: stores.embedder });

  expect(counts.changed).toEqual({
    project: 1,
    page: 2,
    page_version: 3,
    edge: 1,
    session: 1,
    observation: 1,
    person: 1,
    idempotency_key: 1,
  });
  expect(counts.secrets).toEqual({ badge: expect.any(Number) });
  expect(await readWholeStore(database)).not.toMatch(/zebra|quagga|okapi/u);
  expect(await findNewest(database, 'local')).toBeGreaterThan(before);
  const told = await database.query<{ subject: string; rows: number }>({
    text: `select subject, count(*) as rows from outbox
      where tenant = 'local' and sequence > $1 group by 1 order by 1`,
    values: [before],
  });
  expect(told).toEqual([
    { subject: 'EDGE', rows: 1 },
    { subject: 'PAGE', rows: 2 },
  ]);
});

test('leaves the rest, and finds pages by it alone', async () => {
  const [bySecret, byRest] = [await ask(stores, CODE), await ask(stores, 'badge')];
  const now = byRest.hits.find(({ page }) => page.path === 'now');

  expect(bySecret.hits.filter(({ explain }) => explain.keyword !== null)).toEqual([]);
  expect(now?.page).toMatchObject({
    title: 'Badge [REDACTED:badge]',
    body: 'See [[old]] and [REDACTED:badge]',
    tags: ['[REDACTED:badge]'],
  });
});

test('changes nothing the second time', async () => {
  const { changed, secrets } = await redactStore({ texts, redactor });

  expect({ changed, secrets }).toEqual({ changed: {}, secrets: {} });
});

test('leaves a text that was written anew since it was read', async () => {
  const [row] = await texts.list('project', null, 1);
  if (row === undefined) throw new Error('There is a project.');

  const isReplaced = await texts.replace(
    'project',
    { ...row, texts: { description: 'older' } },
    {
      description: 'stale',
    },
  );

  expect(isReplaced).toBe(false);
  expect(await readWholeStore(database)).not.toContain('stale');
});

test('goes through more rows than one batch', async () => {
  const project = await seedProject(stores, 'many');
  const pages = Array.from({ length: 230 }, (_, index) => [
    `p${index}`,
    `No ${index}: zebra-tapirs`,
  ]);
  await seedPages(stores, project, Object.fromEntries(pages));

  const { changed, secrets } = await redactStore({ texts, redactor });

  expect({ changed, secrets }).toEqual({ changed: { page_version: 230 }, secrets: { badge: 230 } });
});
