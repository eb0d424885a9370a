import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import type { Project } from '../../src/memory/page.ts';
import { parsePageFilter } from '../../src/memory/parse-page-filter.ts';
import type { AssignmentState, PersonId } from '../../src/memory/person.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import { assignPerson, type PersonInput, putPerson } from '../../src/memory/put-person.ts';
import type { RecallInput } from '../../src/memory/recall-query.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, pathsOf } from '../support/recall.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

let database: Database;
let stores: Stores;
let crowd: Project;
let crowdIds: Record<string, string>;
let ann: PersonId;
let bob: PersonId;

/** Pages that fit the query better than Ann's: the words twice over, and nothing beside. */
const STRONGER = 500;

const put = async (input: PersonInput) => putPerson(stores, await callerFor(stores), input);

const assign = async (personId: PersonId, pageId: string | undefined, state: AssignmentState) =>
  assignPerson(stores, await callerFor(stores), { personId, pageId: pageId ?? '', state });

const away = () => new StoreUnavailableError('postgres', null);

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
  crowd = await seedProject(stores, 'crowd');
  const stronger = Array.from({ length: STRONGER }, (_, index) => [
    `crowd/${index}`,
    { title: 'Pelican', body: 'pelican pelican [[hub]]' },
  ]);
  crowdIds = await seedPages(stores, crowd, {
    ...Object.fromEntries(stronger),
    hub: { title: 'Hub of all', body: 'Where they meet.' },
    mine: { title: 'A walk', body: 'On a long walk by the sea we once saw a pelican, far away.' },
    'mine/unresolved': { title: 'A walk', body: 'Another pelican, perhaps hers.' },
    'mine/hidden': { title: 'A walk', body: 'A pelican that is not hers.' },
    'mine/linked': { title: 'Notes', body: 'Nothing of birds. [[hub]]' },
  });
  [ann, bob] = [await put({ name: 'Ann' }), await put({ name: 'Bob', aliases: ['Robert'] })];
  await assign(ann, crowdIds.mine, 'RESOLVED');
  await assign(ann, crowdIds.hub, 'RESOLVED');
  await assign(ann, crowdIds['mine/linked'], 'RESOLVED');
  await assign(ann, crowdIds['mine/unresolved'], 'UNRESOLVED');
  await assign(ann, crowdIds['mine/hidden'], 'HIDDEN');
  await assign(bob, crowdIds['mine/hidden'], 'RESOLVED');
}, 180_000);
afterAll(() => database.close());

const recallOf = async (people: readonly PersonId[], changes: Partial<RecallInput> = {}) => {
  const { filter, ...rest } = changes;
  const scope = { projectIds: [crowd.id], people, ...filter };
  return ask(stores, 'pelican', { limit: 5, filter: scope, ...rest });
};

describe('a filter by people', () => {
  test('finds their page behind 500 that fit better, by words and by meaning', async () => {
    const all = await ask(stores, 'pelican', { limit: 100, filter: { projectIds: [crowd.id] } });
    expect(pathsOf(all)).not.toContain('mine');

    const { hits } = await recallOf([ann]);

    const mine = hits.find(({ page }) => page.path === 'mine');
    expect(hits[0]).toBe(mine);
    expect(mine?.explain.keyword?.rank).toBe(1);
    expect(mine?.explain.dense?.rank).toBe(1);
  });

  test('lets only resolved assignments through', async () => {
    expect(pathsOf(await recallOf([ann])).toSorted()).toEqual(['hub', 'mine', 'mine/linked']);
    expect(pathsOf(await recallOf([bob]))).toEqual(['mine/hidden']);
    expect(pathsOf(await recallOf([ann, bob]))).toHaveLength(4);
  });

  test('finds their page by the graph behind 500 neighbours of another', async () => {
    const { hits } = await ask(stores, 'hub of all', {
      limit: 3,
      filter: { projectIds: [crowd.id], people: [ann], excludeIds: [crowdIds.mine ?? ''] },
    });

    const linked = hits.find(({ page }) => page.path === 'mine/linked');
    expect(linked?.explain.graphVia).toEqual([
      expect.objectContaining({ edge: 'REFERENCES', direction: 'IN', fromId: crowdIds.hub }),
    ]);
  });

  test('lets nothing through for nobody, for somebody unknown and for one without pages', async () => {
    const carl = await put({ name: 'Carl' });

    for (const people of [[], [crypto.randomUUID()], [carl]]) {
      expect(pathsOf(await recallOf(people))).toEqual([]);
    }
  });

  test('meets included ids, and never replaces them', async () => {
    const include = async (...ids: (string | undefined)[]) =>
      pathsOf(await recallOf([ann], { filter: { includeIds: ids.map((id) => id ?? '') } }));

    expect(await include(crowdIds.mine, crowdIds['crowd/1'])).toEqual(['mine']);
    expect(await include(crowdIds['crowd/1'])).toEqual([]);
  });

  test('holds in lists and counts', async () => {
    const { view } = await callerFor(stores);
    const filter = { people: [ann] };
    const { pages } = await stores.pages.list(view, {
      filter,
      order: { field: 'PATH', direction: 'ASC' },
      first: 2,
      after: null,
    });

    expect(pages.map(({ path }) => path)).toEqual(['hub', 'mine']);
    expect(await stores.pages.count(view, filter)).toBe(3);
  });

  test('holds in walks', async () => {
    const { view } = await callerFor(stores);

    const walked = await traverse(stores, view, {
      from: [crowdIds.hub ?? ''],
      kinds: ['REFERENCES'],
      direction: 'IN',
      depth: 1,
      where: { people: [ann] },
    });

    expect(walked.pages.map(({ pageId }) => pageId)).toEqual([
      crowdIds.hub,
      crowdIds['mine/linked'],
    ]);
  });

  test('holds in the past, by the assignments of now', async () => {
    const { view } = await callerFor(stores);
    const asOf = { validAt: null, recordedAt: view.now };

    const { hits } = await ask(stores, 'pelican', {
      filter: { projectIds: [crowd.id], people: [ann] },
      view: { ...view, asOf },
    });

    expect(pathsOf({ hits })).toEqual(['mine']);
  });

  test('asks again before hits leave: what was withdrawn meanwhile is not told', async () => {
    const page = crowdIds.mine ?? '';
    const late: Stores = {
      ...stores,
      recall: {
        ...stores.recall,
        async findMatching(...args) {
          await assign(ann, page, 'HIDDEN');
          return stores.recall.findMatching(...args);
        },
      },
    };

    const { hits } = await ask(late, 'pelican', {
      filter: { projectIds: [crowd.id], people: [ann] },
    });
    await assign(ann, page, 'RESOLVED');

    expect(pathsOf({ hits })).not.toContain('mine');
  });

  test.each<[string, Partial<Stores['recall']>]>([
    ['the arms', { session: () => Promise.reject(away()) }],
    ['the last look', { findMatching: () => Promise.reject(away()) }],
  ])('answers nothing when %s can not ask who belongs to a page', async (_what, broken) => {
    const partly = { ...stores, recall: { ...stores.recall, ...broken } };
    const scope = { projectIds: [crowd.id], people: [ann] };

    await expect(ask(partly, 'pelican', { filter: scope })).rejects.toMatchObject({
      name: 'PeopleUnavailableError',
      code: 'PEOPLE_UNAVAILABLE',
      retryable: true,
      message:
        'Expected an answer from the people of pages, but it is not available. Try again later, or ask without people.',
    });
    await expect(ask(partly, 'pelican')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('refuses more than 1,000 people', () => {
    const people = Array.from({ length: 1_001 }, () => ann);

    expect(() => parsePageFilter({ people })).toThrow(
      'filter.people: expected at most 1000, but got 1001.',
    );
  });
});

test('shows the people of a page by name, without hidden ones, to whoever sees the page', async () => {
  const project = await seedProject(stores, 'shown');
  const ids = await seedPages(stores, project, { open: '', secret: { sensitivity: 'RESTRICTED' } });
  const zoe = await put({ name: 'Zoe' });
  await assign(zoe, ids.open, 'RESOLVED');
  await assign(ann, ids.open, 'UNRESOLVED');
  await assign(bob, ids.open, 'HIDDEN');
  await assign(ann, ids.secret, 'RESOLVED');
  const guest = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' as const };
  const { view } = await callerFor(stores, guest);
  const requests = [ids.open, ids.secret].map((pageId) => ({ pageId, first: 1, after: null }));

  const [open, secret] = await stores.people.listOfPages(view, requests);
  const [rest] = await stores.people.listOfPages(view, [
    { pageId: ids.open, first: 5, after: { name: 'Ann', id: ann } },
  ]);

  expect(open).toEqual({
    people: [{ person: { id: ann, name: 'Ann', aliases: [] }, state: 'UNRESOLVED' }],
    hasMore: true,
    total: 2,
  });
  expect(secret).toEqual({ people: [], hasMore: false, total: 0 });
  expect(rest?.people.map(({ person, state }) => [person.name, state])).toEqual([
    ['Zoe', 'RESOLVED'],
  ]);
});

test('changes a person, and folds what is said twice', async () => {
  const id = await put({ name: 'Cafe\u0301', aliases: ['C', 'C', 'Caf\u00e9'] });
  const { view } = await callerFor(stores);
  expect(await stores.people.findMany(view, [id])).toEqual([
    { id, name: 'Caf\u00e9', aliases: ['C'] },
  ]);

  await put({ id, name: 'Dora' });

  expect(await stores.people.findMany(view, [id])).toEqual([{ id, name: 'Dora', aliases: [] }]);
});

test.each<[string, Omit<PersonInput, 'name'> & { name?: string }, string]>([
  ['a blank name', { name: ' ' }, 'name'],
  ['a long name', { name: 'x'.repeat(129) }, 'name'],
  ['NUL in an alias', { aliases: ['a', 'a\0'] }, 'aliases.1'],
  ['too many aliases', { aliases: Array.from({ length: 33 }, (_, i) => `a${i}`) }, 'aliases'],
  ['a person that is not there', { id: crypto.randomUUID() }, 'id'],
])('refuses %s by name', async (_what, { name = 'Eve', ...input }, field) => {
  await expect(put({ ...input, name })).rejects.toMatchObject({ field });
});

test('makes a person once for a key', async () => {
  const first = await put({ name: 'Once', idempotencyKey: 'once' });

  expect(await put({ name: 'Once', idempotencyKey: 'once' })).toBe(first);
  expect(await put({ name: 'Once' })).not.toBe(first);
});

test('names the person or the page that is not there, of another tenant too', async () => {
  const other = { ...LOCAL_PRINCIPAL, tenant: 'elsewhere' };
  const theirs = await putPerson(stores, await callerFor(stores, other), { name: 'Theirs' });

  await expect(assign(theirs, crowdIds.mine, 'RESOLVED')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    field: 'person',
  });
  await expect(assign(ann, crypto.randomUUID(), 'RESOLVED')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    field: 'page',
  });
});

test('a purge of a page removes and counts its assignments, hidden ones in the trace alone', async () => {
  const project = await seedProject(stores, 'purged');
  const { gone } = await seedPages(stores, project, { gone: '' });
  await assign(ann, gone, 'RESOLVED');
  await assign(bob, gone, 'HIDDEN');

  const { result } = await purgePage(stores, await callerFor(stores), gone);

  expect(result.people).toBe(1);
  const left = await database.query({
    text: 'select person_id from person_page where page_id = $1',
    values: [gone],
  });
  expect(left).toEqual([]);
  const [trace] = await database.query<{ details: object }>({
    text: 'select details from audit where subject_id = $1',
    values: [gone],
  });
  expect(trace?.details).toMatchObject({ people: 2 });
});
