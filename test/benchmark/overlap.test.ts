import { describe, expect, test } from 'vitest';
import {
  measureOverlap,
  type Overlap,
  OWN_SETS,
  overlapTable,
  readOwnSet,
  shownTerms,
} from '../../benchmark/recall/check-overlap.ts';
import type { Memory, Query, RecallSet } from '../../benchmark/recall/neutral-format.ts';
import { MAX_HINT_BYTES, MAX_HINTS } from '../../src/memory/hints.ts';
import { createRedactor } from '../../src/memory/redaction.ts';

const { redact } = createRedactor();
/** Reading refuses keys that come twice, and answers and edges that lead nowhere. */
const sets = OWN_SETS.map((name) => ({ name, data: readOwnSet(name) }));

describe.each(sets)('$name', ({ data: { memories, queries } }) => {
  test('is big enough to mean something', () => {
    expect(memories.length).toBeGreaterThanOrEqual(150);
    expect(queries.length).toBeGreaterThanOrEqual(120);
  });

  test('says and asks everything once', () => {
    expect(repeated(memories.map(({ body }) => body))).toEqual([]);
    expect(repeated(queries.map(({ q }) => q))).toEqual([]);
  });

  test('has edges that a store accepts: none to itself, none twice, resolved only if it contradicts', () => {
    const edges = memories.flatMap(({ key, edges = [] }) =>
      edges.map((edge) => ({ from: key, ...edge })),
    );

    expect(edges.filter(({ from, to }) => from === to)).toEqual([]);
    expect(repeated(edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`))).toEqual([]);
    expect(
      edges.filter(({ kind, resolution }) => kind !== 'CONTRADICTS' && resolution !== undefined),
    ).toEqual([]);
  });

  test('has nothing that looks like a secret', () => {
    const texts = memories.flatMap(({ body, title = '', hints = [] }) => [body, title, ...hints]);

    expect(texts.filter((text) => redact(text) !== text)).toEqual([]);
  });

  test('has hints that a write accepts', () => {
    const hinted = memories.flatMap(({ hints = [] }) => [hints]).filter(({ length }) => length > 0);

    expect(hinted.filter((hints) => hints.length > MAX_HINTS)).toEqual([]);
    expect(hinted.flat().filter((hint) => hint.trim() === '')).toEqual([]);
    expect(hinted.flat().filter((hint) => Buffer.byteLength(hint) > MAX_HINT_BYTES)).toEqual([]);
  });
});

describe('hints', () => {
  const data = readOwnSet('hints');
  const overlaps = measureOverlap(data);
  const gap = overlaps.filter(({ query: { category } }) => category !== 'ordinary');

  test('are asked for in no word of the answer, and in other words than the hint', () => {
    expect(asked(gap.filter(({ inAnswer }) => inAnswer.length > 0))).toEqual([]);
    expect(asked(gap.filter(({ isHint }) => isHint))).toEqual([]);
    expect(asked(gap.filter(({ inHints }) => inHints.length === 0))).toEqual([]);
  });

  test('stand beside pages without hints and questions that words answer', () => {
    const bare = data.memories.filter(({ hints = [] }) => hints.length === 0);
    const plain = new Set(bare.map(({ key }) => key));
    const ordinary = overlaps.filter(({ query: { category } }) => category === 'ordinary');

    expect(plain.size).toBeGreaterThanOrEqual(30);
    expect(ordinary.length).toBeGreaterThanOrEqual(20);
    expect(asked(ordinary.filter(({ inAnswer }) => inAnswer.length < 2))).toEqual([]);
    expect(
      ordinary.flatMap(({ query }) => query.relevant).filter((key) => !plain.has(key)),
    ).toEqual([]);
  });
});

describe('causal', () => {
  const data = readOwnSet('causal');
  const neighbours = causalNeighbours(data);
  const overlaps = measureOverlap(data);
  const pages = data.memories.map((memory) => ({ key: memory.key, shown: shownTerms(memory) }));

  test.each([
    ['one-hop', 1],
    ['two-hop', 2],
  ] as const)('%s answers lie so many edges from the page that words find', (name, hops) => {
    const ofHops = overlaps.filter(({ query }) => query.category === name);

    const strays = ofHops.filter(({ terms, query: { relevant } }) => {
      const joined = pages.filter(({ key }) => neighbours.has(key));
      const reached = bestByWords(joined, terms).map((key) => distances(neighbours, key));
      return !reached.some((depths) => relevant.every((key) => depths.get(key) === hops));
    });

    expect(ofHops.length).toBeGreaterThanOrEqual(50);
    expect(asked(strays)).toEqual([]);
  });

  test('answers are never what the words find first', () => {
    const told = overlaps.filter(({ terms, query: { relevant } }) =>
      bestByWords(pages, terms).some((key) => relevant.includes(key)),
    );

    expect(asked(told)).toEqual([]);
  });

  test('has decoys that no typed edge touches', () => {
    expect(pages.filter(({ key }) => !neighbours.has(key)).length).toBeGreaterThanOrEqual(30);
  });
});

test('contradictions are answered by the page that their state lets stand', () => {
  const data = readOwnSet('contradiction');
  const challenges = data.memories.flatMap(({ key, edges = [] }) =>
    edges.flatMap(({ kind, to, resolution = 'UNRESOLVED' }) =>
      kind === 'CONTRADICTS' ? [{ from: key, to, resolution }] : [],
    ),
  );
  const answers = challenges.map(({ from, to, resolution }) => {
    const stands = { UNRESOLVED: [from], UPHELD: [from], DISMISSED: [to], RECONCILED: [to, from] };
    return `${resolution.toLowerCase()} ${stands[resolution].toSorted().join(' ')}`;
  });
  const named = data.queries.map(
    ({ category, relevant }) => `${category} ${relevant.toSorted().join(' ')}`,
  );

  expect(named.filter((each) => !answers.includes(each))).toEqual([]);
  expect(new Set(data.queries.map(({ category }) => category)).size).toBe(4);
});

test('contradictions have both sides in the words of the question', () => {
  const data = readOwnSet('contradiction');
  const byKey = keyed(data);
  const sides = new Map(
    data.memories.flatMap(({ key, edges = [] }) =>
      edges.flatMap(({ to }) => [[key, to] as const, [to, key] as const]),
    ),
  );

  const oneSided = measureOverlap(data).filter(({ terms, inAnswer, query: { relevant } }) => {
    const others = relevant.flatMap((key) => byKey.get(sides.get(key) ?? '') ?? []);
    const inOthers = others.map((other) => countIn(shownTerms(other), terms));
    return Math.min(inAnswer.length, ...inOthers) === 0;
  });

  expect(asked(oneSided)).toEqual([]);
});

test('type hints name the kind of an answer where they are right, and of none where they are wrong', () => {
  const data = readOwnSet('type-hints');
  const byKey = keyed(data);
  const isRight = ({ relevant, typeHints = [] }: Query) =>
    relevant.some((key) => typeHints.some((kind) => kind === byKey.get(key)?.kind));

  const strays = data.queries.filter((each) => isRight(each) !== (each.category === 'right'));
  const bare = data.queries.filter(({ typeHints = [] }) => typeHints.length === 0);

  expect([...strays, ...bare]).toEqual([]);
});

test.each(['zh', 'ja', 'pt', 'de', 'ar'])('%s has pages and questions enough', (language) => {
  const { memories, queries } = readOwnSet('multilingual');

  expect(memories.filter(({ key }) => key.startsWith(`${language}-`)).length).toBeGreaterThan(24);
  expect(queries.filter(({ category }) => category === language).length).toBeGreaterThan(19);
});

test('the table counts what a question shares with its answer and with its hints', () => {
  const data: RecallSet = {
    memories: [{ key: 'ttl', body: 'cache ttl 60 s', hints: ['How old is a price?'] }],
    queries: [
      { q: 'how old is the price', relevant: ['ttl'], category: 'gap' },
      { q: 'cache seconds', relevant: ['ttl'], category: 'plain' },
    ],
  };

  expect(overlapTable('prices', measureOverlap(data)).split('\n')).toEqual([
    'prices           queries   no word in answer  in hints    copies',
    'gap                    1         1     0.0 %   100.0 %         1',
    'plain                  1         0    50.0 %     0.0 %         0',
    'all                    2         1    25.0 %    50.0 %         1',
    '',
  ]);
});

function asked(overlaps: readonly Overlap[]): string[] {
  return overlaps.map(({ query: { q } }) => q);
}

function keyed({ memories }: RecallSet): ReadonlyMap<string, Memory> {
  return new Map(memories.map((memory) => [memory.key, memory]));
}

function countIn(shown: ReadonlySet<string>, terms: readonly string[]): number {
  return terms.filter((term) => shown.has(term)).length;
}

/** The pages that share the most terms: one, or all of a tie. */
function bestByWords(
  pages: readonly { readonly key: string; readonly shown: ReadonlySet<string> }[],
  terms: readonly string[],
): string[] {
  const counts = pages.map(({ shown }) => countIn(shown, terms));
  const most = Math.max(...counts);
  return pages.flatMap(({ key }, index) => (counts[index] === most ? [key] : []));
}

/** Pages that may be reached, with the fewest edges to each, walked either way. */
function distances(
  neighbours: ReadonlyMap<string, readonly string[]>,
  from: string,
): ReadonlyMap<string, number> {
  const reached = new Map([[from, 0]]);
  for (const [key, depth] of reached) {
    for (const next of neighbours.get(key) ?? []) {
      if (!reached.has(next)) reached.set(next, depth + 1);
    }
  }
  return reached;
}

/** Pages that a CAUSES or FIXES edge joins, in both directions. */
function causalNeighbours({ memories }: RecallSet): ReadonlyMap<string, readonly string[]> {
  const neighbours = new Map<string, string[]>();
  const join = (from: string, to: string) =>
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
  for (const { key, edges = [] } of memories) {
    for (const { kind, to } of edges) {
      if (kind !== 'CAUSES' && kind !== 'FIXES') continue;
      join(key, to);
      join(to, key);
    }
  }
  return neighbours;
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
