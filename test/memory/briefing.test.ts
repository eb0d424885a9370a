import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { briefing } from '../../src/memory/briefing.ts';
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
let now = Date.parse('2026-03-01T00:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
});
afterAll(() => database.close());
beforeEach(async () => {
  made += 1;
  project = await seedProject(stores, `project-${made}`);
});

const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };

/** Pages that were written one after another, in this order. */
async function seed<Path extends string>(
  pages: Readonly<Record<Path, SeedPage>>,
): Promise<Record<Path, string>> {
  const ids: Record<string, string> = {};
  for (const [path, page] of Object.entries<SeedPage>(pages)) {
    now += 1_000;
    Object.assign(ids, await seedPages(stores, project, { [path]: page }));
  }
  return ids as Record<Path, string>;
}

const page = (kind: Exclude<SeedPage, string>['kind'], more: object = {}): SeedPage => ({
  ...{ kind, body: 'Words.' },
  ...more,
});

async function brief({
  as = LOCAL_PRINCIPAL,
  settledFirst = false,
  tokenBudget = null as number | null,
} = {}) {
  const { view } = await callerFor(stores, as);
  return briefing(stores, view, { project, settledFirst, tokenBudget });
}

/** The paths of each section, as they stand in the text. */
async function pathsOf(options: Parameters<typeof brief>[0] = {}) {
  const { sections } = await brief(options);
  return Object.fromEntries(
    sections.map(({ section, items }) => [
      section,
      items.map(({ text }) => /\[([^\]]+)\]/u.exec(text)?.[1]),
    ]),
  );
}

const see = async (pageId: string, kind: string, ...sources: readonly string[]) => {
  for (const source of sources) {
    await database.query({
      text: 'insert into evidence values ($1, $2, $3, $4, $5)',
      values: ['local', pageId, kind, source, now],
    });
  }
};

test('has standing answers, recent sessions, open problems and disputes, each for its reason', async () => {
  await seed({
    'standing/deploy': 'With `npm run deploy`.',
    'standing-order': 'No standing answer.',
    's/1': page('SESSION'),
    's/2': page('SESSION'),
    bug: page('PROBLEM'),
    claim: 'So.',
    doubt: '- contradicts [[claim]]',
    rule: page('RULE'),
  });

  const { text, tokens, truncated, sections } = await brief();

  expect(await pathsOf()).toEqual({
    STANDING_ANSWERS: ['standing/deploy'],
    RECENT_SESSIONS: ['s/2', 's/1'],
    OPEN_PROBLEMS: ['bug'],
    UNRESOLVED_CONTRADICTIONS: ['claim'],
  });
  expect(text).toContain('## Standing answers\n- standing/deploy [standing/deploy]: With `npm');
  expect(text).toContain('- claim [claim] (disputed by "doubt" (doubt)): So.\n');
  expect(tokens).toBe(Math.ceil(Buffer.byteLength(text) / 4));
  expect(truncated).toBe(false);
  const [dispute] = sections.at(-1)?.items ?? [];
  expect(dispute).toMatchObject({
    reason: 'Disputed by "doubt", and nobody has settled it.',
    contradiction: { kind: 'CONTRADICTS', resolution: 'UNRESOLVED' },
  });
});

describe('an open problem', () => {
  test('is one until a fix that the caller sees points at it, and again when that goes', async () => {
    const { bug, patch } = await seed({ bug: page('PROBLEM'), patch: '' });
    expect(await pathsOf()).toEqual({ OPEN_PROBLEMS: ['bug'] });

    await seedEdges(stores, [[patch, 'FIXES', bug]]);
    expect(await pathsOf()).toEqual({});

    await purgePage(stores, await callerFor(stores), patch);
    expect(await pathsOf()).toEqual({ OPEN_PROBLEMS: ['bug'] });
  });

  test('is one for a caller who may not see the fix', async () => {
    await seed({
      bug: page('PROBLEM'),
      patch: { body: '- fixes [[bug]]', sensitivity: 'RESTRICTED' },
    });

    expect(await pathsOf()).toEqual({});
    expect(await pathsOf({ as: PLAIN })).toEqual({ OPEN_PROBLEMS: ['bug'] });
  });

  test.each<[string, SeedPage]>([
    ['archived', page('PROBLEM', { archived: true })],
    ['expired', page('PROBLEM', { validTo: '2020-01-01T00:00:00Z' })],
  ])('is none when it is %s', async (_state, problem) => {
    await seed({ bug: problem });

    expect(await pathsOf()).toEqual({});
  });
});

test('a contradiction is told until it is resolved, and again when it is reopened', async () => {
  const { claim, doubt } = await seed({ claim: '', doubt: '' });
  const [edgeId = ''] = await seedEdges(stores, [
    [doubt, 'CONTRADICTS', claim, { note: 'Measured otherwise.' }],
  ]);
  const settle = async (outcome: 'DISMISSED' | 'UNRESOLVED') =>
    resolveContradiction(stores, await callerFor(stores), { edgeId, outcome });

  expect((await brief()).text).toContain('disputed by "doubt" (doubt): Measured otherwise.');
  await settle('DISMISSED');
  expect(await pathsOf()).toEqual({});
  await settle('UNRESOLVED');
  expect(await pathsOf()).toEqual({ UNRESOLVED_CONTRADICTIONS: ['claim'] });
});

test('a contradiction is told no more once either page has expired, as confidence counts it', async () => {
  const expired = { body: '', validTo: '2020-01-01T00:00:00Z' };
  const { claim, doubt } = await seed({ claim: '', doubt: '' });
  await seedEdges(stores, [[doubt, 'CONTRADICTS', claim]]);
  const { view } = await callerFor(stores);
  const open = async () =>
    (await stores.pages.evidence(view, [claim]))[0]?.unresolvedContradictions;
  expect([await pathsOf(), await open()]).toEqual([{ UNRESOLVED_CONTRADICTIONS: ['claim'] }, 1]);

  await seed({ doubt: expired });
  expect([await pathsOf(), await open()]).toEqual([{}, 0]);

  await seed({ doubt: '', claim: expired });
  expect(await pathsOf()).toEqual({});
});

describe('settledFirst', () => {
  test('leads with the settled kinds, highest confidence first, and is off unless asked for', async () => {
    const { once, often, never, fact } = await seed({
      never: page('PREFERENCE'),
      once: page('RULE'),
      often: page('DECISION'),
      fact: page('FACT'),
      'standing/rule': page('RULE'),
      old: page('RULE'),
      new: page('PROCEDURE', { body: '- supersedes [[old]]' }),
    });
    await see(once, 'SESSION', 's1');
    await see(often, 'SESSION', 's1', 's2', 's3');
    await see(fact, 'SESSION', 's1', 's2', 's3', 's4');

    expect(await pathsOf()).toEqual({ STANDING_ANSWERS: ['standing/rule'] });
    const { sections, text } = await brief({ settledFirst: true });
    expect(await pathsOf({ settledFirst: true })).toEqual({
      SETTLED: ['often', 'once', 'new', 'never'],
      STANDING_ANSWERS: ['standing/rule'],
    });
    expect(sections[0]?.items.map(({ reason }) => reason).slice(0, 2)).toEqual([
      'A DECISION of confidence 0.63 from 3 sessions.',
      'A RULE of confidence 0.28 from 1 session.',
    ]);
    expect(text).toMatch(/^# Briefing: [^\n]+\n\n## Settled\n- often \[often\] \(DECISION, /u);
    expect(never).toBeTruthy();
  });

  test('a page that is disputed, or was seen long ago, comes after one that is not', async () => {
    const { stale } = await seed({ stale: page('RULE') });
    await see(stale, 'SESSION', 's1', 's2');
    now += 90 * 86_400_000;
    const { sure, disputed } = await seed({
      disputed: page('RULE'),
      sure: page('RULE'),
      doubt: '- contradicts [[disputed]]',
    });
    await see(disputed, 'SESSION', 's1', 's2');
    await see(sure, 'SESSION', 's1', 's2');

    const { SETTLED } = await pathsOf({ settledFirst: true });

    expect(SETTLED).toEqual(['sure', 'stale', 'disputed']);
  });

  test('many sightings of one session are hardly more than one', async () => {
    const { loud, broad } = await seed({ loud: page('RULE'), broad: page('RULE') });
    await see(loud, 'SESSION', 's1');
    await see(loud, 'OBSERVATION', ...Array.from({ length: 49 }, (_, index) => `o${index}`));
    await see(broad, 'SESSION', 's1', 's2', 's3');

    expect(await pathsOf({ settledFirst: true })).toEqual({ SETTLED: ['broad', 'loud'] });
  });
});

test('the tally of evidence is what counting it gives, whoever adds it', async () => {
  const { a, b } = await seed({ a: page('RULE'), b: page('RULE') });
  await see(a, 'SESSION', 's1', 's2');
  await seed({ a: page('RULE'), b: page('RULE') });
  await database.query({
    text: `insert into evidence values ('local', $1, 'SESSION', 's1', 5),
      ('local', $2, 'SESSION', 's3', 7), ('local', $1, 'FEEDBACK', 'f', 6)
      on conflict do nothing`,
    values: [b, a],
  });
  await database.query({
    text: `insert into evidence values ('local', $1, 'SESSION', 's1', 5) on conflict do nothing`,
    values: [b],
  });

  const tally = await database.query({
    text: 'select page_id, sessions, pieces, newest_at from evidence_tally where page_id = any($1)',
    values: [[a, b]],
  });
  const counted = await database.query({
    text: `select page_id, (count(*) filter (where source_kind = 'SESSION'))::int4 as sessions,
      count(*)::int4 as pieces, max(created_at) as newest_at
      from evidence where page_id = any($1) group by page_id`,
    values: [[a, b]],
  });

  expect(new Set(tally.map((row) => JSON.stringify(row)))).toEqual(
    new Set(counted.map((row) => JSON.stringify(row))),
  );
  expect(tally).toHaveLength(2);
});

test('says nothing of what the caller may not see', async () => {
  const hidden = { sensitivity: 'RESTRICTED' } as const;
  await seed({
    'standing/x': { body: '', ...hidden },
    's/x': page('SESSION', hidden),
    'bug/x': page('PROBLEM', hidden),
    'rule/x': page('RULE', hidden),
    claim: '',
    'doubt/x': { body: '- contradicts [[claim]]', ...hidden },
  });

  const all = await brief({ settledFirst: true });
  const plain = await brief({ settledFirst: true, as: PLAIN });

  expect(all.sections).toHaveLength(5);
  expect(plain).toEqual({ text: '', tokens: 0, truncated: false, sections: [] });
});

test('a purge leaves no word of a page in it', async () => {
  const { claim } = await seed({ claim: 'Xylophone.', doubt: '- contradicts [[claim]]' });
  expect((await brief()).text).toContain('Xylophone');

  await purgePage(stores, await callerFor(stores), claim);

  expect((await brief()).text).toBe('');
});

test('keeps within its budget, cuts what does not fit, and says so', async () => {
  await seed(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `bug/${index}`,
        page('PROBLEM', { body: `適者生存 ${'word '.repeat(index * 30)}` }),
      ]),
    ),
  );
  for (const tokenBudget of [1, 10, 30, 100, 333, 1_000]) {
    const { tokens, text, truncated } = await brief({ tokenBudget });
    expect(tokens).toBeLessThanOrEqual(tokenBudget);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * tokenBudget);
    if (tokenBudget <= 333) expect(truncated).toBe(true);
  }
});

test.each([0, -1, 1.5, 32_001])('refuses a budget of %d', async (tokenBudget) => {
  await expect(brief({ tokenBudget })).rejects.toMatchObject({ field: 'tokenBudget' });
});

test('costs the same statements whatever it finds', async () => {
  const count = async (settledFirst: boolean) => {
    const { view } = await callerFor(stores);
    const before = database.statements;
    await briefing(stores, view, { project, settledFirst, tokenBudget: null });
    return database.statements - before;
  };
  await seed({ a: page('RULE') });
  const few = [await count(false), await count(true)];
  await seed(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `p/${index}`,
        page(index % 2 ? 'RULE' : 'PROBLEM'),
      ]),
    ),
  );

  expect(few).toEqual([2, 5]);
  expect([await count(false), await count(true)]).toEqual(few);
});
