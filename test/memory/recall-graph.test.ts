import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf } from '../support/recall.ts';
import { callerFor, seedEdges, seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

describe('graph arm', () => {
  test('tells typed edges before bare ones, fixes before causes', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      seed: 'a pangolin [[other]]',
      other: 'nothing in common',
    });
    await seedEdges(stores, [
      [ids.seed, 'CAUSES', ids.other],
      [ids.other, 'FIXES', ids.seed],
    ]);

    const { hits } = await ask(stores, 'pangolin', { filter });

    const other = hits.find(({ page }) => page.path === 'other');
    expect(other?.explain.graphVia.map(({ edge, direction }) => [edge, direction])).toEqual([
      ['FIXES', 'IN'],
      ['CAUSES', 'OUT'],
      ['REFERENCES', 'OUT'],
    ]);
  });

  test('credits a seed that an edge joins to another seed', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      one: { title: 'same', body: 'a tapir' },
      two: { title: 'same', body: 'a tapir' },
      alone: { title: 'same', body: 'a tapir' },
    });
    await seedEdges(stores, [[ids.two, 'CAUSES', ids.one]]);

    const answer = await ask(stores, 'tapir', { filter });

    expect(pathsOf(answer)).toEqual(['one', 'two', 'alone']);
  });

  test('follows fixes and causes one hop more where the profile says so', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      symptom: 'a kakapo outage',
      cause: 'full disk',
      root: 'rotation was off',
    });
    await seedEdges(stores, [
      [ids.cause, 'CAUSES', ids.symptom],
      [ids.root, 'CAUSES', ids.cause],
    ]);
    const viaOf = async (ranking: string) => {
      const { hits } = await ask(stores, 'kakapo', { filter, ranking });
      return hits.find(({ page }) => page.path === 'root')?.explain.graphVia ?? [];
    };

    expect((await viaOf('baseline')).some(({ fromId }) => fromId === ids.symptom)).toBe(false);
    expect(await viaOf('chain')).toContainEqual(
      expect.objectContaining({ edge: 'CAUSES', fromId: ids.symptom, depth: 2 }),
    );
  });

  test('never leads to a hidden page, nor through one', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      a: 'a quagga',
      secret: { body: 'nothing', sensitivity: 'RESTRICTED' },
      b: 'unrelated',
    });
    const { view: all } = await callerFor(stores);
    const view = { ...all, clearance: 1 };
    const without = await ask(stores, 'quagga', { filter, view, ranking: 'chain' });

    await seedEdges(stores, [
      [ids.a, 'CAUSES', ids.secret],
      [ids.secret, 'CAUSES', ids.b],
    ]);

    expect(await ask(stores, 'quagga', { filter, view, ranking: 'chain' })).toEqual(without);
    expect(pathsOf(await ask(stores, 'quagga', { filter, ranking: 'chain' }))).toContain('secret');
  });
});

describe('filters', () => {
  test('hold in every arm before its limit, and the limit is still filled', async () => {
    const { project, filter } = await newProject(stores);
    const notes = Array.from({ length: 60 }, (_, index) => [
      `note${index}`,
      { kind: 'NOTE', body: 'echidna echidna' },
    ]);
    const facts = Array.from({ length: 12 }, (_, index) => [
      `fact${index}`,
      { kind: 'FACT', body: 'an echidna once, and much about other things besides' },
    ]);
    const linked = { kind: 'FACT', title: 'aside', body: 'unlike' };
    const ids: Record<string, string> = await seedPages(stores, project, {
      ...Object.fromEntries([...notes, ...facts]),
      linked,
    });
    await seedEdges(stores, [
      [ids.fact0 ?? '', 'REFERENCES', ids.linked ?? ''],
      ...notes.map(([path]) => [ids.fact0 ?? '', 'CAUSES', ids[String(path)] ?? ''] as const),
    ]);

    const answer = await ask(stores, 'echidna', {
      filter: { ...filter, kinds: ['FACT'] },
      limit: 13,
    });

    expect(answer.hits.map(({ page }) => page.kind)).toEqual(Array(13).fill('FACT'));
    const aside = answer.hits.find(({ page }) => page.path === 'linked');
    expect(aside?.explain.graphVia).toEqual([
      expect.objectContaining({ edge: 'REFERENCES', fromId: ids.fact0 }),
    ]);
  });

  test('leave out what is superseded or archived, unless asked', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, {
      old: 'the dugong number is 5',
      new: 'the dugong number has been changed to 7\n\n- supersedes [[old]]',
      shelved: { body: 'the dugong', archived: true },
    });
    const text = 'dugong number is 5';

    const usual = await ask(stores, text, { filter });
    const withOld = await ask(stores, text, { filter, includeSuperseded: true });
    const withAll = await ask(stores, text, { filter, includeArchived: true });

    expect(pathsOf(usual)).toEqual(['new']);
    expect(pathsOf(withOld)).toEqual(['new', 'old']);
    expect(withOld.hits[1]?.explain).toMatchObject({
      authority: { cap: { name: 'SUPERSEDED', limit: 0.65 } },
    });
    expect(pathsOf(withAll).toSorted()).toEqual(['new', 'shelved']);
  });

  test('keep an old meaning from serving once the body is edited', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, { pet: 'Our cat sleeps all day.', other: 'Tax forms.' });
    await seedPages(stores, project, { pet: 'Compilers allocate registers.' });

    const { hits } = await ask(stores, 'feline kitten cat', { filter, limit: 2 });

    const pet = hits.find(({ page }) => page.path === 'pet');
    expect(pet?.explain.keyword ?? null).toBeNull();
    expect(pet?.explain.dense?.similarity ?? 0).toBeLessThan(0.3);
  });
});

describe('contradictions', () => {
  test('put the challenged below its challenger where the profile asks', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      claim: { kind: 'RULE', body: 'the bandicoot limit is 9' },
      doubt: { body: 'somebody measured another limit of the bandicoot' },
      bystander: { body: 'the bandicoot limit is 9, they say' },
    });
    await seedEdges(stores, [[ids.doubt, 'CONTRADICTS', ids.claim]]);
    const asked = { filter, ranking: 'contradictions' };

    const plain = await ask(stores, 'bandicoot limit is 9', { filter });
    const capped = await ask(stores, 'bandicoot limit is 9', asked);

    expect(pathsOf(plain)[0]).toBe('claim');
    const claim = capped.hits.find(({ page }) => page.path === 'claim');
    expect(claim?.explain).toMatchObject({
      authority: { cap: { name: 'CONTRADICTED', limit: 0.65, by: [ids.doubt] } },
      confidence: { unresolvedContradictions: 1 },
    });
    expect(pathsOf(capped).indexOf('claim')).toBeGreaterThan(pathsOf(capped).indexOf('doubt'));
    const bystander = (answer: typeof plain) =>
      answer.hits.find(({ page }) => page.path === 'bystander')?.score;
    expect(bystander(capped)).toBe(bystander(plain));
  });

  test('cap both that challenge each other, and order neither', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      a: { body: 'the potoroo is fast and the potoroo is small' },
      b: { body: 'a potoroo' },
    });
    await seedEdges(stores, [
      [ids.a, 'CONTRADICTS', ids.b],
      [ids.b, 'CONTRADICTS', ids.a],
    ]);

    const { hits } = await ask(stores, 'potoroo', { filter, ranking: 'contradictions' });

    expect(hits.map(({ explain }) => [explain.authority.cap?.name, explain.heldBelow])).toEqual([
      ['CONTRADICTED', null],
      ['CONTRADICTED', null],
    ]);
  });

  test('do not count from a challenger that was itself replaced', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      claim: 'the bilby is nocturnal',
      doubt: 'the bilby is not',
      better: 'never mind\n\n- supersedes [[doubt]]',
    });
    await seedEdges(stores, [[ids.doubt, 'CONTRADICTS', ids.claim]]);

    const { hits } = await ask(stores, 'bilby', { filter, ranking: 'contradictions' });

    expect(hits.find(({ page }) => page.path === 'claim')?.explain.authority.cap).toBeNull();
  });
});
