import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AuthorityInput, authority } from '../../src/memory/authority.ts';
import { PAGE_KINDS } from '../../src/memory/page.ts';
import { NO_FEEDBACK } from '../../src/memory/salience.ts';

const NOTE: AuthorityInput = {
  path: 'notes/x',
  kind: 'NOTE',
  tags: [],
  isSuperseded: false,
  asks: false,
  feedback: NO_FEEDBACK,
  challengedBy: [],
  askingTerm: 0,
};

test('starts at one', () => {
  expect(authority(NOTE)).toEqual({ value: 1, factors: [], cap: null });
});

test.each([
  ['RULE', 1.15],
  ['DECISION', 1.15],
  ['PROCEDURE', 1.12],
  ['PREFERENCE', 1.12],
  ['FIX', 1.12],
  ['FACT', 1.07],
  ['PROBLEM', 1.07],
  ['PROCEDURE_POINTER', 1.07],
  ['EVENT', 1],
  ['NOTE', 1],
  ['SESSION', 0.85],
] as const)('weighs the kind %s as %f', (kind, expected) => {
  expect(authority({ ...NOTE, kind }).value).toBeCloseTo(expected, 12);
});

test.each([
  ['a pinned page', { tags: ['pinned'] }, 1.08],
  ['a canonical page', { tags: ['canonical'] }, 1.2],
  ['a source of truth', { tags: ['source-of-truth'] }, 1.2],
  ['both of the last two, once', { tags: ['canonical', 'source-of-truth'] }, 1.2],
  ['what lint wrote', { path: '_lint/broken-links' }, 0.8],
  ['an investigation', { path: 'investigations/2026/oom' }, 0.95],
  ['a page that is only named like one', { path: 'old/investigations/oom' }, 1],
])('weighs %s', (_what, changes, expected) => {
  expect(authority({ ...NOTE, ...changes }).value).toBeCloseTo(expected, 12);
});

test('names every term with its reason', () => {
  const { factors } = authority({ ...NOTE, kind: 'FIX', tags: ['pinned'], path: '_lint/x' });

  expect(factors).toEqual([
    { name: 'KIND', multiplier: 0.12, reason: 'It is a FIX.' },
    { name: 'PINNED', multiplier: 0.08, reason: 'It is tagged "pinned".' },
    { name: 'PATH', multiplier: -0.2, reason: 'Its path is under "_lint/".' },
  ]);
});

test('weighs what was said of a page, with the counts as its reason', () => {
  const { value, factors } = authority({
    ...NOTE,
    feedback: { useful: 0, notUseful: 2, wrong: 1 },
  });

  expect(value).toBeCloseTo(0.95, 12);
  expect(factors).toEqual([
    {
      name: 'SALIENCE',
      multiplier: -0.05,
      reason: 'Feedback: 0 useful, 2 not useful, 1 wrong.',
    },
  ]);
});

describe('caps', () => {
  test.each([
    ['do-not-answer-from', { tags: ['do-not-answer-from'] }, 'DO_NOT_ANSWER_FROM', 0.55],
    ['test-fixture', { tags: ['test-fixture'] }, 'DO_NOT_ANSWER_FROM', 0.55],
    ['superseded', { isSuperseded: true }, 'SUPERSEDED', 0.65],
    ['challenged', { challengedBy: ['b'] }, 'CONTRADICTED', 0.65],
    ['historical', { tags: ['historical'] }, 'HISTORICAL', 0.8],
  ])('holds a rule that is %s down', (_what, changes, name, limit) => {
    const { tags = [] } = { tags: undefined, ...changes };
    const page = { ...NOTE, kind: 'RULE' as const, ...changes, tags: [...tags, 'canonical'] };

    expect(authority(page)).toMatchObject({ value: limit, cap: { name, limit } });
  });

  test('applies the first that matches', () => {
    const page = { ...NOTE, isSuperseded: true, challengedBy: ['b'], tags: ['historical'] };

    expect(authority(page).cap?.name).toBe('SUPERSEDED');
  });

  test('names the challengers', () => {
    expect(authority({ ...NOTE, challengedBy: ['b', 'c'] }).cap?.by).toEqual(['b', 'c']);
  });

  test('lifts nothing', () => {
    const page = { ...NOTE, kind: 'SESSION' as const, path: '_lint/x', tags: ['historical'] };

    const { value, cap } = authority(page);

    expect(value).toBeCloseTo(0.65, 12);
    expect(cap?.limit).toBe(0.8);
  });
});

test('counts a page that asks for less, where the profile says so', () => {
  const asking = { ...NOTE, asks: true };

  expect(authority(asking).value).toBe(1);
  expect(authority({ ...asking, askingTerm: -0.1 })).toMatchObject({
    value: 0.9,
    factors: [{ name: 'ASKS', multiplier: -0.1 }],
  });
  expect(authority({ ...NOTE, askingTerm: -0.1 }).factors).toEqual([]);
});

test('stays within 0.55 and 1.5, and is what its factors and its cap say', () => {
  const page = fc.record<AuthorityInput>({
    path: fc.constantFrom('a', '_lint/a', 'investigations/a'),
    kind: fc.constantFrom(...PAGE_KINDS),
    tags: fc.subarray(['pinned', 'canonical', 'source-of-truth', 'historical', 'test-fixture']),
    isSuperseded: fc.boolean(),
    asks: fc.boolean(),
    feedback: fc.record({ useful: fc.nat(), notUseful: fc.nat(), wrong: fc.nat() }),
    challengedBy: fc.subarray(['b', 'c']),
    askingTerm: fc.constantFrom(0, -0.1),
  });

  fc.assert(
    fc.property(page, (input) => {
      const { value, factors, cap } = authority(input);

      const total = factors.reduce((sum, { multiplier }) => sum + multiplier, 1);
      const capped = Math.min(total, cap?.limit ?? Number.POSITIVE_INFINITY);
      expect(value).toBe(Math.min(1.5, Math.max(0.55, capped)));
    }),
  );
});
