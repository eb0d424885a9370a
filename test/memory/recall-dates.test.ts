import { afterAll, beforeAll, expect, test } from 'vitest';
import { reindex } from '../../src/memory/reindex.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createIndexStore } from '../../src/postgres/index-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf } from '../support/recall.ts';
import { seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

const RELEASES = {
  'releases/spring': { title: 'Release', body: 'A release.', validFrom: '2023-05-08T10:00:00Z' },
  'releases/summer': { title: 'Release', body: 'A release.', validFrom: '2023-07-21T10:00:00Z' },
  'releases/undated': { title: 'Release', body: 'A release.' },
};
const QUESTION = 'Which release was on 21 July 2023?';

test('a ranking that looks for dates finds a page by the date since when it is true', async () => {
  const { project, filter } = await newProject(stores);
  await seedPages(stores, project, RELEASES);

  const { hits } = await ask(stores, QUESTION, { filter, ranking: 'dates' });

  expect(hits[0]?.page.path).toBe('releases/summer');
  expect(hits[0]?.explain.keyword).toMatchObject({
    terms: ['releas', 'date 21', 'date july', 'date 2023'],
    matchedIn: ['TITLE', 'BODY', 'DATE'],
  });
});

test('rankings that do not are not changed by dates, score for score', async () => {
  const dated = await newProject(stores);
  const plain = await newProject(stores);
  await seedPages(stores, dated.project, RELEASES);
  const bodies = Object.entries(RELEASES).map(([path, { title, body }]) => [path, { title, body }]);
  await seedPages(stores, plain.project, Object.fromEntries(bodies));

  for (const ranking of ['baseline', 'rrf']) {
    const scores = async (filter: object) => {
      const { hits } = await ask(stores, QUESTION, { filter, ranking });
      return hits.map(({ page, score, explain }) => [page.path, score, explain.keyword?.terms]);
    };

    expect(await scores(dated.filter)).toEqual(await scores(plain.filter));
  }
});

test('the date stays when the same content is written again, and a reindex makes the same index', async () => {
  const { project, filter } = await newProject(stores);
  await seedPages(stores, project, RELEASES);
  const { title, body } = RELEASES['releases/summer'];
  await seedPages(stores, project, { 'releases/summer': { title, body } });
  const before = await ask(stores, QUESTION, { filter, ranking: 'dates' });

  const { changed } = await reindex({
    indexes: createIndexStore(database),
    embedder: stores.embedder,
  });

  expect(pathsOf(before)[0]).toBe('releases/summer');
  expect(changed).toBe(0);
});
