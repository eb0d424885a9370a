import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SENSITIVITIES, type Sensitivity } from '../../src/memory/page.ts';
import type { Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { draw } from '../support/random-graph.ts';
import { type ModelPage, VisibleModel } from '../support/visible-model.ts';

/** Rounds of a write and a request of several reads each: thousands of operations, in under half a minute. */
const ROUNDS = 200;
const READS_A_REQUEST = 10;
const PATHS = 12;
const DEPTH = 3;
const SEED = 20_260_301;

const TENANTS = ['red', 'blue'] as const;
const PROJECTS = ['notes', 'lab'] as const;
const KINDS = ['CAUSES', 'FIXES'] as const;
const WORDS = ['zorvex', 'quimbal', 'tandrel', 'fosgrit'] as const;
const CLEARANCES: readonly Sensitivity[] = ['PUBLIC', 'INTERNAL', 'RESTRICTED'];

const principal = (tenant: string, more: Partial<Principal> = {}): Principal => ({
  tenant,
  name: 'reader',
  scopes: ['memory:read', 'memory:write', 'memory:admin'],
  projects: 'ALL',
  clearance: 'RESTRICTED',
  ...more,
});

/** Three clearances of each tenant, and who may use one project alone. */
const CALLERS = TENANTS.flatMap((tenant) => [
  ...CLEARANCES.map((clearance) => principal(tenant, { clearance })),
  principal(tenant, { projects: ['lab'] }),
]);

let app: TestApp;
const model = new VisibleModel();
/** Of pages that there are, and of those that there were. */
const ids: string[] = [];

beforeAll(async () => {
  app = await openTestApp();
  for (const tenant of TENANTS) {
    for (const name of PROJECTS) {
      const make =
        'mutation ($name: String!) { createProject(input: { name: $name }) { __typename } }';
      await app.ask(make, { name }, principal(tenant));
    }
  }
});
afterAll(() => app.close());

/** A number below `below`, out of a drawn one, so that one draw serves any choice. */
const pick = <T>(from: readonly T[], drawn: number): T => {
  const found = from[drawn % from.length];
  if (found === undefined) throw new Error('Expected something to pick from.');
  return found;
};

type Round = {
  readonly change: number;
  readonly numbers: readonly number[];
  readonly reads: readonly (readonly number[])[];
};

const number = fc.nat(1_000_000);
const ROUND: fc.Arbitrary<Round> = fc.record({
  change: fc.nat(9),
  numbers: fc.array(number, { minLength: 7, maxLength: 7 }),
  reads: fc.array(fc.array(number, { minLength: 4, maxLength: 4 }), {
    minLength: READS_A_REQUEST,
    maxLength: READS_A_REQUEST,
  }),
});

const typeOf = (data: unknown, field: string): unknown =>
  (data as Record<string, { readonly __typename: string }>)[field]?.__typename;

/** One change, by somebody who may make it or may not; the model follows what is allowed. */
async function change({ change: kind, numbers }: Round): Promise<void> {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  const caller = pick(CALLERS, a);
  const seen = new Set(model.seenBy(caller).map(({ id }) => id));
  if (ids.length < 12 || kind < 4) return writePage(numbers);

  // Mostly what the caller sees; else it is of another tenant, hidden, or gone.
  const aimed = seen.size > 1 && e % 4 > 0 ? [...seen] : ids;
  const id = pick(aimed, b);
  if (kind === 4) {
    const text = 'mutation ($id: ID!) { purgePage(input: { id: $id }) { __typename } }';
    const { data } = await app.ask(text, { id }, caller);
    expect(typeOf(data, 'purgePage')).toBe(seen.has(id) ? 'PurgePageSuccess' : 'NotFound');
    if (seen.has(id)) model.remove(id);
    return;
  }
  const edge = { from: id, to: pick(aimed, c), kind: pick(KINDS, d) };
  if (edge.from === edge.to) return;
  const mayBoth = seen.has(edge.from) && seen.has(edge.to);
  const isUnlink = kind === 9 && f % 2 === 0;
  const field = isUnlink ? 'unlinkPages' : 'linkPages';
  const input = isUnlink ? 'UnlinkPagesInput' : 'LinkPagesInput';
  const text = `mutation ($input: ${input}!) { ${field}(input: $input) { __typename } }`;
  const { data } = await app.ask(text, { input: { edges: [edge] } }, caller);
  if (isUnlink) {
    if (mayBoth) model.unlink(edge);
    return;
  }
  expect(typeOf(data, field)).toBe(mayBoth ? 'LinkPagesSuccess' : 'NotFound');
  if (mayBoth) model.link(edge);
}

async function writePage(numbers: readonly number[]): Promise<void> {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  const tenant = pick(TENANTS, a);
  const project = pick(PROJECTS, b);
  const path = `p${c % PATHS}`;
  const sensitivity = pick(SENSITIVITIES, d);
  const words = WORDS.filter((_, index) => (e >> index) % 2 === 1);
  const page = { path, title: `Page ${path}`, body: `${words.join(' ')} ${f}`, sensitivity };
  const { data } = await app.ask<{ writePage: { readonly page: { readonly id: string } } }>(
    `mutation ($input: WritePageInput!) {
      writePage(input: $input) { ... on WritePageSuccess { page { id } } }
    }`,
    { input: { project, page } },
    principal(tenant),
  );
  const { id } = data.writePage.page;
  if (!ids.includes(id)) ids.push(id);
  model.put({ id, tenant, project, path, sensitivity, words });
}

/** A question as GraphQL asks it, and what the model answers. */
type Question = {
  readonly text: string;
  readonly expected: unknown;
  readonly answerOf: (answer: unknown) => unknown;
};

const PAGES_WITH_EDGES = `nodes { id causes(first: 50) { nodes { id } } fixedBy(first: 50) { nodes { id } } }`;

function question(caller: Principal, [kind = 0, a = 0, b = 0, c = 0]: readonly number[]): Question {
  const seen = model.seenBy(caller);
  const known = new Map(seen.map((page) => [page.id, page]));
  const id = pick(ids, a);
  const other = pick(ids, b);
  const only = (wanted: (page: ModelPage) => boolean) =>
    seen
      .filter(wanted)
      .map((page) => page.id)
      .sort();
  const same = (answer: unknown) => answer;

  switch (kind % 8) {
    case 0: {
      const project = pick(PROJECTS, a);
      const path = `p${b % PATHS}`;
      const [found = null] = only((page) => page.project === project && page.path === path);
      return {
        text: `page(project: "${project}", path: "${path}") { id }`,
        expected: found && { id: found },
        answerOf: same,
      };
    }
    case 1:
      return {
        text: `node(id: "${id}") { ... on Page { path sensitivity } }`,
        expected: known.has(id)
          ? { path: known.get(id)?.path, sensitivity: known.get(id)?.sensitivity }
          : null,
        answerOf: same,
      };
    case 2: {
      const edges = model.edgesSeenBy(caller);
      const along = (from: string, end: 'from' | 'to', edgeKind: string) =>
        edges
          .filter((edge) => edge[end] === from && edge.kind === edgeKind)
          .map((edge) => (end === 'from' ? edge.to : edge.from))
          .sort();
      return {
        text: `pages(first: 50) { totalCount ${PAGES_WITH_EDGES} }`,
        expected: {
          totalCount: seen.length,
          nodes: only(() => true).map((each) => ({
            id: each,
            causes: along(each, 'from', 'CAUSES'),
            fixedBy: along(each, 'to', 'FIXES'),
          })),
        },
        answerOf: toPagesWithEdges,
      };
    }
    case 3: {
      const word = pick(WORDS, c);
      return {
        text: `recall(input: { text: "${word}", limit: 50 }) { hits { page { id } explain { keyword { rank } } } }`,
        expected: { found: only(({ words }) => words.includes(word)), others: [] },
        answerOf: (answer) => toHits(answer, known),
      };
    }
    case 4:
    case 5:
      return {
        text: `traverse(from: ["${id}"], kinds: [CAUSES, FIXES], direction: OUT, depth: ${DEPTH}) { pages { depth page { id } } }`,
        expected: known.has(id) ? sorted([...model.reachedFrom(caller, id, DEPTH)]) : [],
        answerOf: toReached,
      };
    case 6: {
      const length = known.has(id)
        ? (model.reachedFrom(caller, id, DEPTH).get(other) ?? null)
        : null;
      return id === other
        ? {
            text: 'status { edgeCount }',
            expected: { edgeCount: model.edgesSeenBy(caller).length },
            answerOf: same,
          }
        : {
            text: `path(from: "${id}", to: "${other}", kinds: [CAUSES, FIXES], direction: OUT, maxDepth: ${DEPTH}) { length }`,
            expected: { length },
            answerOf: (answer) => answer ?? { length: null },
          };
    }
    default:
      return {
        text: 'status { pageCount edgeCount }',
        expected: { pageCount: seen.length, edgeCount: model.edgesSeenBy(caller).length },
        answerOf: same,
      };
  }
}

const sorted = (entries: readonly (readonly [string, number])[]) =>
  [...entries].sort(([x], [y]) => (x < y ? -1 : 1));

function toReached(answer: unknown) {
  const { pages } = answer as {
    readonly pages: readonly { readonly depth: number; readonly page: { readonly id: string } }[];
  };
  return sorted(pages.filter(({ depth }) => depth > 0).map(({ depth, page }) => [page.id, depth]));
}

type Nodes = { readonly nodes: readonly { readonly id: string }[] };

function toPagesWithEdges(answer: unknown) {
  const { totalCount, nodes } = answer as {
    readonly totalCount: number;
    readonly nodes: readonly {
      readonly id: string;
      readonly causes: Nodes;
      readonly fixedBy: Nodes;
    }[];
  };
  const idsOf = (list: Nodes) => list.nodes.map(({ id }) => id).sort();
  return {
    totalCount,
    nodes: nodes
      .map(({ id, causes, fixedBy }) => ({ id, causes: idsOf(causes), fixedBy: idsOf(fixedBy) }))
      .sort((x, y) => (x.id < y.id ? -1 : 1)),
  };
}

/** The arm of meaning may find any page that the caller sees, and no other. */
function toHits(answer: unknown, known: ReadonlyMap<string, ModelPage>) {
  const { hits } = answer as {
    readonly hits: readonly {
      readonly page: { readonly id: string };
      readonly explain: { readonly keyword: object | null };
    }[];
  };
  const byKeyword = hits.filter(({ explain }) => explain.keyword !== null);
  return {
    found: byKeyword.map(({ page }) => page.id).sort(),
    others: hits.map(({ page }) => page.id).filter((id) => !known.has(id)),
  };
}

test(`two tenants and three clearances get the answers of a model that hides first, in ${ROUNDS * (READS_A_REQUEST + 1)} random operations`, async () => {
  const rounds = draw(ROUND, SEED, ROUNDS);
  let most = 0;

  for (const [index, round] of rounds.entries()) {
    await change(round);
    most = Math.max(most, model.edges.length);
    const caller = pick(CALLERS, round.numbers[6] ?? 0);
    const questions = round.reads.map((read) => question(caller, read));
    const text = questions.map((each, place) => `q${place}: ${each.text}`).join('\n');
    const { data, errors } = await app.ask(`{ ${text} }`, {}, caller);

    expect(
      errors,
      `round ${index} of seed ${SEED}: ${text} as ${JSON.stringify(caller)}`,
    ).toBeUndefined();
    for (const [place, { expected, answerOf, text: asked }] of questions.entries()) {
      expect(
        answerOf(data[`q${place}`]),
        `round ${index}: ${asked} as ${JSON.stringify(caller)}`,
      ).toEqual(expected);
    }
  }
  expect(most).toBeGreaterThan(20);
}, 120_000);
