import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wandQuery } from '../../src/postgres/wand-query.ts';

const terms = fc
  .array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 1, maxLength: 12 })
  .map((bounds) =>
    bounds.sort((a, b) => b - a).map((bound, index) => ({ query: `'t${index}'`, bound })),
  );

test('asks for what can reach the threshold', () => {
  const rare = { query: "'rare'", bound: 5 };
  const usual = { query: "'usual'", bound: 3 };
  const common = { query: "'common'", bound: 1 };

  expect(wandQuery([rare, usual, common], 4)).toBe("'rare'|'usual'&('common')");
  expect(wandQuery([rare, usual, common], 5.5)).toBe("'rare'&('usual'|'common')");
});

test('asks for nothing special where any term is enough, or none are', () => {
  const any = [{ query: "'a'", bound: 1 }];

  expect(wandQuery(any, 0)).toBeNull();
  expect(wandQuery(any, 2)).toBeNull();
});

test('never leaves out a page that could reach the threshold', () => {
  fc.assert(
    fc.property(
      terms,
      fc.double({ min: 0, max: 60, noNaN: true }),
      fc.nat(4095),
      (all, at, bits) => {
        const condition = wandQuery(all, at);
        const has = all.filter((_, index) => (bits >> index) & 1);
        const best = has.reduce((sum, { bound }) => sum + bound, 0);

        // A billionth for the order of adding.
        if (condition === null || best < at + 1e-9) return;
        expect(holds(condition, new Set(has.map(({ query }) => query)))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('stays small, however many terms there are', () => {
  const many = Array.from({ length: 64 }, (_, index) => ({
    query: `'t${index}'`,
    bound: 8 - index / 16,
  }));

  for (let threshold = 1; threshold < 200; threshold += 7) {
    expect(wandQuery(many, threshold)?.match(/'t/g)?.length ?? 0).toBeLessThanOrEqual(60);
  }
});

/** Evaluates `'a'&('b'|'c')|'d'`: every `&` is followed by brackets. */
function holds(condition: string, has: ReadonlySet<string>): boolean {
  const tokens = condition.match(/'[^']*'|[&|()]/g) ?? [];
  let at = 0;

  function any(): boolean {
    let result = false;
    for (let isMore = true; isMore; ) {
      let own = has.has(tokens[at++] ?? '');
      if (tokens[at] === '&') {
        at += 2;
        const inner = any();
        at += 1;
        own &&= inner;
      }
      result ||= own;
      isMore = tokens[at] === '|';
      if (isMore) at += 1;
    }
    return result;
  }
  return any();
}
