import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EdgeKind } from '../../src/memory/edge.ts';
import { linkWhenPresent, unlinkPages } from '../../src/memory/link-pages.ts';
import type { LintRule } from '../../src/memory/lint/rules.ts';
import { lint } from '../../src/memory/lint.ts';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import { resolveContradiction } from '../../src/memory/resolve-contradiction.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, type SeedPage, seedEdges, seedPages, seedProject } from '../support/seed.ts';

let database: Database;
let stores: Stores;
let project: Project;
let made = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  made += 1;
  project = await seedProject(stores, `project-${made}`);
});

const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };
const PAST = '2020-01-01T00:00:00Z';

const seed = <Path extends string>(pages: Readonly<Record<Path, SeedPage>>) =>
  seedPages(stores, project, pages);
const seedEdge = async (from: string, kind: EdgeKind, to: string) =>
  (await seedEdges(stores, [[from, kind, to]]))[0] ?? '';

/** Findings of these rules, as a principal sees them. */
async function look(
  rules: readonly LintRule[] | null,
  { as = LOCAL_PRINCIPAL, first = 200, after = null as string | null } = {},
) {
  const { view } = await callerFor(stores, as);
  return lint(stores, view, { project, rules, first, after });
}

/** The paths of each finding of a rule. */
async function pathsOf(rule: LintRule, as?: Principal): Promise<string[][]> {
  const { entries } = await look([rule], as && { as });
  return entries.map(({ finding }) => finding.pages.map(({ path }) => path));
}

async function only(rule: LintRule) {
  const { entries } = await look([rule]);
  expect(entries).toHaveLength(1);
  const finding = entries[0]?.finding;
  if (finding === undefined) throw new Error('Expected a finding.');
  return finding;
}

describe('UNRESOLVED_CONTRADICTION', () => {
  test('names the challenged and its challenger, and offers to resolve it, until it is', async () => {
    const { claim, doubt } = await seed({ claim: '', doubt: '' });
    const edgeId = await seedEdge(doubt, 'CONTRADICTS', claim);

    expect(await only('UNRESOLVED_CONTRADICTION')).toMatchObject({
      severity: 'WARNING',
      message: '"claim" is disputed by "doubt", and nobody has settled it.',
      pages: [
        { id: claim, path: 'claim', project: project.name },
        { id: doubt, path: 'doubt' },
      ],
      mend: { action: { name: 'resolveContradiction', edgeId } },
    });
    await resolveContradiction(stores, await callerFor(stores), { edgeId, outcome: 'UPHELD' });
    expect(await pathsOf('UNRESOLVED_CONTRADICTION')).toEqual([]);
  });

  test('leaves out what a superseded, archived or expired page disputes, and what is retracted', async () => {
    const { claim, old, away, back, over } = await seed({
      ...{ claim: '', old: '', away: '', back: '', over: '' },
    });
    for (const from of [old, away, back, over]) await seedEdge(from, 'CONTRADICTS', claim);
    expect(await pathsOf('UNRESOLVED_CONTRADICTION')).toHaveLength(4);

    await seed({
      new: '- supersedes [[old]]',
      away: { archived: true },
      over: { validTo: PAST },
    });
    await unlinkPages(stores, await callerFor(stores), [
      { fromId: back, kind: 'CONTRADICTS', toId: claim },
    ]);

    expect(await pathsOf('UNRESOLVED_CONTRADICTION')).toEqual([]);
  });

  test('names the project of a page that is of another one', async () => {
    const other = await seedProject(stores, `other-${made}`);
    const { claim } = await seed({ claim: '' });
    const { doubt } = await seedPages(stores, other, { doubt: '' });
    await seedEdge(doubt, 'CONTRADICTS', claim);

    expect((await only('UNRESOLVED_CONTRADICTION')).message).toContain(`"other-${made}:doubt"`);
  });
});

describe('RIVAL_SUCCESSORS', () => {
  test('names a page with two current successors, and offers to let the newer replace the older', async () => {
    const { old, one, two } = await seed({ old: '', one: '', two: '' });
    await seedEdge(one, 'SUPERSEDES', old);
    expect(await pathsOf('RIVAL_SUCCESSORS')).toEqual([]);
    await seedEdge(two, 'SUPERSEDES', old);

    expect(await only('RIVAL_SUCCESSORS')).toMatchObject({
      pages: [{ path: 'old' }, { path: 'one' }, { path: 'two' }],
      pageCount: 3,
      mend: {
        action: { name: 'linkPages', edge: { kind: 'SUPERSEDES', fromId: two, toId: one } },
      },
    });
    await seedEdge(two, 'SUPERSEDES', one);
    expect(await pathsOf('RIVAL_SUCCESSORS')).toEqual([]);
  });

  test('counts all of very many, and names the first', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    const { old = '' } = await seed({ old: '' });
    const ids = await seed(Object.fromEntries(names.map((name) => [name, ''])));
    for (const id of Object.values(ids)) await seedEdge(id, 'SUPERSEDES', old);

    const { pages, pageCount } = await only('RIVAL_SUCCESSORS');

    expect(pageCount).toBe(26);
    expect(pages.map(({ path }) => path)).toEqual(['old', ...names.slice(0, 19)]);
  });
});

describe('EXPIRED_REFERENCED', () => {
  test('names an expired page and the current ones that reference it', async () => {
    const over = { body: '', validTo: PAST };
    await seed({
      over,
      'over/too': over,
      'not/over': '',
      reader: 'See [[over]] and [[not/over]].',
      'expired/reader': { body: 'See [[over/too]].', validTo: PAST },
    });

    expect(await only('EXPIRED_REFERENCED')).toMatchObject({
      severity: 'WARNING',
      message: '"over" expired on 2020-01-01, and is still referenced by 1 page: "reader".',
      pages: [{ path: 'over' }, { path: 'reader' }],
    });
    await seed({ now: '- supersedes [[over]]' });
    expect(await pathsOf('EXPIRED_REFERENCED')).toEqual([]);
  });
});

describe('DANGLING_LINK', () => {
  test('names the page and where its link leads, until the page comes', async () => {
    await seed({ a: '- fixes [[gone]]\n\nSee [[elsewhere:b]], and `[[code]]`.' });

    const { entries } = await look(['DANGLING_LINK']);

    expect(entries.map(({ finding: { message, mend } }) => [message, mend.action])).toEqual([
      [
        '"a" says FIXES of "gone", which is not there.',
        { name: 'writePage', project: project.name, path: 'gone' },
      ],
      [
        '"a" says REFERENCES of "elsewhere:b", which is not there.',
        { name: 'writePage', project: 'elsewhere', path: 'b' },
      ],
    ]);
    await seed({ gone: '' });
    expect(await pathsOf('DANGLING_LINK')).toHaveLength(1);
  });

  test('a link to a page that was purged dangles', async () => {
    const { b } = await seed({ a: 'See [[b]].', b: '' });

    await purgePage(stores, await callerFor(stores), b);

    expect(await pathsOf('DANGLING_LINK')).toEqual([['a']]);
  });

  test('tells of a page that is there by now, but was hidden from the writer', async () => {
    await seed({ secret: { body: '', sensitivity: 'RESTRICTED' } });
    await seedPages(stores, project, { a: 'See [[secret]].' }, PLAIN);

    expect((await only('DANGLING_LINK')).mend).toEqual({
      text: 'Write "a" again as it is: a writer who sees both pages joins them.',
      action: null,
    });
  });

  test('a link to a hidden page is told as one to a page that is not there', async () => {
    await seed({ 'to/missing': 'See [[x/missing]].', 'to/secret': 'See [[x/secret]].' });
    const before = await look(null, { as: PLAIN });
    await seed({ 'x/secret': { body: '', sensitivity: 'RESTRICTED' } });

    const after = await look(null, { as: PLAIN });

    expect(after).toEqual(before);
    expect(after.entries.map(({ finding }) => finding.message)).toEqual([
      '"to/missing" says REFERENCES of "x/missing", which is not there.',
      '"to/secret" says REFERENCES of "x/secret", which is not there.',
    ]);
    expect(await pathsOf('DANGLING_LINK')).toEqual([['to/missing']]);
  });

  test('an asserted link that waits is told only to those who would see the page come', async () => {
    await seed({ a: '' });
    const end = (path: string) => ({ project: project.name, path });
    const times = { note: null, validFrom: null, validTo: null };
    await linkWhenPresent(stores, await callerFor(stores), [
      { kind: 'CAUSES', from: end('a'), to: end('late'), ...times },
    ]);

    expect(await pathsOf('DANGLING_LINK')).toEqual([['a']]);
    expect(await pathsOf('DANGLING_LINK', PLAIN)).toEqual([]);
  });
});

describe('FIX_WITHOUT_PROBLEM', () => {
  test.each<[string, Record<string, SeedPage>, string]>([
    ['archived', { bug: { archived: true } }, 'archived'],
    ['superseded', { next: '- supersedes [[bug]]' }, 'superseded'],
    ['expired', { bug: { body: '', validTo: PAST } }, 'expired'],
  ])('names a fix whose problem is %s', async (_name, change, status) => {
    const { patch } = await seed({ bug: '', patch: { body: '- fixes [[bug]]', kind: 'FIX' } });
    expect(await pathsOf('FIX_WITHOUT_PROBLEM')).toEqual([]);

    await seed(change);

    expect(await only('FIX_WITHOUT_PROBLEM')).toMatchObject({
      severity: 'NOTICE',
      message: `"patch" fixes "bug", which is ${status}.`,
      pages: [{ id: patch }, { path: 'bug' }],
      mend: { action: null },
    });
  });

  test('offers to take back an edge that a caller asserted', async () => {
    const { bug, note } = await seed({ bug: { archived: true }, note: '' });
    await seedEdge(note, 'FIXES', bug);

    expect((await only('FIX_WITHOUT_PROBLEM')).mend.action).toEqual({
      name: 'unlinkPages',
      edge: { kind: 'FIXES', fromId: note, toId: bug },
    });
  });

  test('names a page of kind FIX that fixes nothing, as after a purge', async () => {
    const { bug, patch } = await seed({ bug: '', patch: { kind: 'FIX' } });
    await seedEdge(patch, 'FIXES', bug);

    await purgePage(stores, await callerFor(stores), bug);

    expect((await only('FIX_WITHOUT_PROBLEM')).message).toBe(
      '"patch" is a FIX, and fixes nothing that is there.',
    );
  });
});

describe('SIMILAR_TITLES', () => {
  test('groups titles of the same words, whatever their order, case, accents, endings, punctuation and little words', async () => {
    const titled = (title: string, more: object = {}) => ({ title, body: title, ...more });
    await seed({
      a: titled('Retry policy: uploads'),
      b: titled('UPLOADS – Retry Policy!'),
      c: titled('The retry policy of uploads'),
      d: titled('Café rules'),
      e: titled('Cafe rule'),
      f: titled('Café rules', { archived: true }),
      g: titled('Release 1.2'),
      h: titled('Release 1.3'),
      i: titled('Stand-up', { kind: 'SESSION' }),
      j: titled('Stand-up', { kind: 'SESSION' }),
      k: titled('???'),
      l: titled('!!!'),
    });

    expect((await pathsOf('SIMILAR_TITLES')).toSorted()).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  test('does not count a page that the caller may not see', async () => {
    await seed({
      a: { title: 'Heap size', body: '' },
      b: { title: 'Heap size', body: '', sensitivity: 'RESTRICTED' },
    });

    expect(await pathsOf('SIMILAR_TITLES')).toEqual([['a', 'b']]);
    expect(await pathsOf('SIMILAR_TITLES', PLAIN)).toEqual([]);
  });
});

test('ORPHAN_PAGE names pages that no edge that the caller sees touches, and no link leaves', async () => {
  const { asserted, secret } = await seed({
    alone: '',
    from: 'See [[to]].',
    to: '',
    waits: 'See [[missing]].',
    asserted: '',
    secret: { body: '', sensitivity: 'RESTRICTED' },
    away: { archived: true },
  });
  await seedEdge(secret, 'CAUSES', asserted);

  expect(await pathsOf('ORPHAN_PAGE')).toEqual([['alone']]);
  expect(await pathsOf('ORPHAN_PAGE', PLAIN)).toEqual([['alone'], ['asserted']]);
});

describe('CAUSE_CYCLE', () => {
  test('names a shortest circle from its first page on, and how many are in such circles', async () => {
    await seed({
      a: '- causes [[b]]',
      b: '- causes [[c]]\n- causes [[d]]',
      c: '- causes [[a]]',
      d: '- causes [[e]]',
      e: '- causes [[b]]\n- causes [[leaf]]',
      leaf: '',
    });

    expect(await only('CAUSE_CYCLE')).toMatchObject({
      severity: 'WARNING',
      message: '"a" causes "b" causes "c" causes "a". 5 pages are in such circles here.',
      pages: [{ path: 'a' }, { path: 'b' }, { path: 'c' }],
      pageCount: 3,
    });
  });

  test('a circle through a hidden page is none', async () => {
    await seed({
      a: '- causes [[b]]',
      b: { body: '- causes [[c]]', sensitivity: 'RESTRICTED' },
      c: '- causes [[a]]',
    });

    expect(await pathsOf('CAUSE_CYCLE')).toEqual([['a', 'b', 'c']]);
    expect(await pathsOf('CAUSE_CYCLE', PLAIN)).toEqual([]);
  });
});

describe('a list of findings', () => {
  /** Two findings or more of every rule. */
  async function seedAll() {
    for (const at of ['1', '2']) {
      const page = (body: string, more: object = {}) => ({ title: `${at} ${body}`, body, ...more });
      await seed({
        [`${at}/bug`]: page('bug', { archived: true }),
        [`${at}/patch`]: page(`- fixes [[${at}/bug]]`, { kind: 'FIX' }),
        [`${at}/claim`]: page('claim'),
        [`${at}/doubt`]: page(`- contradicts [[${at}/claim]]`),
        [`${at}/old`]: page('old'),
        [`${at}/new-a`]: page(`- supersedes [[${at}/old]]`, { title: `${at} same` }),
        [`${at}/new-b`]: page(`- supersedes [[${at}/old]]`, { title: `same ${at}` }),
        [`${at}/over`]: page('over', { validTo: PAST }),
        [`${at}/reader`]: page(`See [[${at}/over]] and [[${at}/missing]].`),
        [`${at}/alone`]: page('alone'),
        [`${at}/chicken`]: page(`- causes [[${at}/egg]]`),
        [`${at}/egg`]: page(`- causes [[${at}/chicken]]`),
      });
    }
  }

  test('comes in parts that put together are the whole, in one order', async () => {
    await seedAll();
    const whole = await look(null);
    const rules = new Set(whole.entries.map(({ finding }) => finding.rule));
    expect(rules.size).toBe(8);
    expect(whole.hasMore).toBe(false);

    for (const first of [1, 3]) {
      const parts: unknown[] = [];
      let after: string | null = null;
      for (;;) {
        const part = await look(null, { first, after });
        expect(part.entries.length).toBeLessThanOrEqual(first);
        expect(part.isFirst).toBe(after === null);
        parts.push(...part.entries);
        if (!part.hasMore) break;
        after = part.entries.at(-1)?.cursor ?? null;
      }
      expect(parts).toEqual(whole.entries);
    }
  });

  test('a cursor holds while findings come and go', async () => {
    await seed({ b: '', d: '', f: '' });
    const { entries } = await look(['ORPHAN_PAGE'], { first: 2 });
    await seed({ a: '', d: { body: '', archived: true }, e: '' });

    const next = await look(['ORPHAN_PAGE'], { after: entries[1]?.cursor ?? null });

    expect(next.entries.map(({ finding }) => finding.pages[0]?.path)).toEqual(['e', 'f']);
  });

  test('costs a statement for each rule, whatever the number of findings', async () => {
    await seedAll();
    const { view } = await callerFor(stores);
    const before = database.statements;

    await lint(stores, view, { project, rules: null, first: 200, after: null });

    // Circles of causes take two: the edges, and the pages on circles.
    expect(database.statements - before).toBe(9);
  });

  test('looks no further than it must', async () => {
    await seedAll();
    const { view } = await callerFor(stores);
    const before = database.statements;

    await lint(stores, view, { project, rules: null, first: 1, after: null });

    expect(database.statements - before).toBe(1);
  });

  test('refuses no rules, too many findings, and cursors that are not its own', async () => {
    await seed({ a: '', b: '' });
    const { entries } = await look(['ORPHAN_PAGE'], { first: 1 });
    const after = entries[0]?.cursor ?? '';
    const made = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');

    await expect(look([])).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'rules' });
    await expect(look(null, { first: 201 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(look(['CAUSE_CYCLE'], { after })).rejects.toMatchObject({ field: 'after' });
    for (const cursor of [
      'x',
      made('l1', project.id, 'SIMILAR_TITLES', 'no uuid'),
      made('l1', project.id, 'DANGLING_LINK', 'a'),
      made('l1', project.id, 'ORPHAN_PAGE', 'a\0'),
      made('l1', project.id, 'NO_RULE', 'a'),
      made('p1', project.id),
    ]) {
      await expect(look(null, { after: cursor })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        field: 'after',
      });
    }
    project = await seedProject(stores, `other-${made.length}-${after.length}`);
    await expect(look(null, { after })).rejects.toMatchObject({ field: 'after' });
  });
});
