import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { CompleteQuery } from '../../src/memory/complete-query.ts';
import { narrowing } from '../../src/memory/narrowing.ts';
import type { PageFilter } from '../../src/memory/page-store.ts';

type Beside = Omit<CompleteQuery, 'filter'>;

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });

/** Without what is not set, as a caller leaves it out. */
const filters: fc.Arbitrary<PageFilter> = fc
  .record({
    projectIds: optional(ids),
    kinds: optional(fc.constantFrom<PageFilter['kinds']>(['FACT'], ['FACT', 'RULE'], [])),
    tags: optional(ids),
    attributes: optional(fc.constantFrom({}, { team: 'a' }, { team: { of: ['a', 1, null] } })),
    includeIds: optional(ids),
    excludeIds: optional(ids),
    subjects: optional(ids),
    sensitivityCeiling: optional(fc.integer({ min: 0, max: 3 })),
    pathPrefix: optional(fc.constantFrom('notes', 'runbooks')),
  })
  .map((filter) =>
    Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  );

const parents: fc.Arbitrary<CompleteQuery> = fc.record({
  text: fc.string({ minLength: 1 }),
  filter: filters,
  includeSuperseded: fc.boolean(),
  includeArchived: fc.boolean(),
  typeHints: fc.constantFrom<CompleteQuery['typeHints']>([], ['FACT'], ['RULE', 'FACT']),
  limit: fc.integer({ min: 1, max: 99 }),
  tokenBudget: fc.option(fc.integer({ min: 1, max: 10_000 })),
  ranking: fc.constantFrom('baseline', 'rrf'),
  tenant: fc.constantFrom('local', 'other'),
  principal: fc.constantFrom('ann', 'bob'),
  asOf: fc.option(
    fc.record(
      { validAt: fc.option(fc.integer()), recordedAt: fc.integer() },
      { noNullPrototype: true },
    ),
  ),
});

const withPeople = (
  query: CompleteQuery,
  changes: Partial<Beside> = {},
  filter: PageFilter = {},
) => ({
  ...query,
  ...changes,
  filter: { ...query.filter, people: ['ann'], ...filter },
});

const without = ({ filter, ...rest }: CompleteQuery, field: keyof PageFilter): CompleteQuery => {
  const { [field]: _gone, ...kept } = filter;
  return { ...rest, filter: kept };
};

test('lends a vector to the same query of some people', () => {
  fc.assert(
    fc.property(parents, (parent) => {
      expect(narrowing(parent, withPeople(parent))).toBe('NARROWED');
    }),
  );
});

test('lends a vector to a query that asks for less', () => {
  fc.assert(
    fc.property(parents, ids, fc.nat(98), fc.nat(), (parent, some, by, tokens) => {
      const { includeIds, subjects, sensitivityCeiling } = parent.filter;
      const keep = (all: readonly string[]) => all.filter((id) => some.includes(id));
      const less = withPeople(
        parent,
        {
          limit: Math.max(1, parent.limit - by),
          tokenBudget: Math.min(parent.tokenBudget ?? Number.MAX_SAFE_INTEGER, tokens + 1),
        },
        {
          includeIds: includeIds === undefined ? some : keep(includeIds),
          ...(subjects && { subjects: keep(subjects) }),
          sensitivityCeiling: Math.min(sensitivityCeiling ?? 3, by % 4),
        },
      );

      expect(narrowing(parent, less)).toBe('NARROWED');
      expect(narrowing(parent, without(less, 'subjects'))).toBe('NARROWED');
    }),
  );
});

describe('lends none to a query that asks for more', () => {
  const widened: readonly [field: string, (query: CompleteQuery) => CompleteQuery | null][] = [
    ['limit', (query) => withPeople(query, { limit: query.limit + 1 })],
    [
      'tokenBudget',
      (query) =>
        query.tokenBudget === null
          ? null
          : withPeople(query, { tokenBudget: query.tokenBudget + 1 }),
    ],
    [
      'tokenBudget',
      (query) => (query.tokenBudget === null ? null : withPeople(query, { tokenBudget: null })),
    ],
    [
      'sensitivityCeiling',
      ({ filter, ...rest }) =>
        filter.sensitivityCeiling === undefined
          ? null
          : withPeople(
              { ...rest, filter },
              {},
              { sensitivityCeiling: filter.sensitivityCeiling + 1 },
            ),
    ],
    [
      'sensitivityCeiling',
      (query) =>
        query.filter.sensitivityCeiling === undefined
          ? null
          : without(withPeople(query), 'sensitivityCeiling'),
    ],
    [
      'includeIds',
      ({ filter, ...rest }) =>
        filter.includeIds === undefined
          ? null
          : withPeople({ ...rest, filter }, {}, { includeIds: [...filter.includeIds, 'new'] }),
    ],
    [
      'includeIds',
      (query) =>
        query.filter.includeIds === undefined ? null : without(withPeople(query), 'includeIds'),
    ],
    [
      'subjects',
      (query) => withPeople(query, {}, { subjects: [...(query.filter.subjects ?? []), 'new'] }),
    ],
  ];

  test.each(widened)('%s', (field, widen) => {
    fc.assert(
      fc.property(parents, (parent) => {
        const derived = widen(parent);
        fc.pre(derived !== null);

        expect(narrowing(parent, derived)).toEqual({ code: 'WIDENED', field });
      }),
    );
  });
});

describe('lends none to a query that differs elsewhere', () => {
  const different: readonly [field: string, (query: CompleteQuery) => CompleteQuery][] = [
    ['text', (query) => withPeople(query, { text: `${query.text} ` })],
    ['tenant', (query) => withPeople(query, { tenant: `${query.tenant}s` })],
    ['principal', (query) => withPeople(query, { principal: `${query.principal}s` })],
    [
      'asOf',
      (query) => withPeople(query, { asOf: query.asOf ? null : { validAt: null, recordedAt: 1 } }),
    ],
    [
      'asOf',
      ({ asOf, ...query }) => {
        const recordedAt = (asOf?.recordedAt ?? 0) + 1;
        return withPeople({ ...query, asOf }, { asOf: { validAt: null, ...asOf, recordedAt } });
      },
    ],
    [
      'includeSuperseded',
      (query) => withPeople(query, { includeSuperseded: !query.includeSuperseded }),
    ],
    ['includeArchived', (query) => withPeople(query, { includeArchived: !query.includeArchived })],
    ['ranking', (query) => withPeople(query, { ranking: `${query.ranking}-2` })],
    ['typeHints', (query) => withPeople(query, { typeHints: [...query.typeHints, 'EVENT'] })],
    [
      'projectIds',
      (query) => withPeople(query, {}, { projectIds: [...(query.filter.projectIds ?? []), 'new'] }),
    ],
    [
      'kinds',
      (query) => withPeople(query, {}, { kinds: [...(query.filter.kinds ?? []), 'EVENT'] }),
    ],
    ['tags', (query) => withPeople(query, {}, { tags: [...(query.filter.tags ?? []), 'new'] })],
    [
      'excludeIds',
      (query) => withPeople(query, {}, { excludeIds: [...(query.filter.excludeIds ?? []), 'new'] }),
    ],
    [
      'attributes',
      (query) => withPeople(query, {}, { attributes: { ...query.filter.attributes, more: null } }),
    ],
    [
      'pathPrefix',
      (query) => withPeople(query, {}, { pathPrefix: `${query.filter.pathPrefix ?? ''}x` }),
    ],
    [
      'excludeSuperseded',
      (query) => withPeople(query, {}, { excludeSuperseded: !query.filter.excludeSuperseded }),
    ],
    [
      'excludeArchived',
      (query) => withPeople(query, {}, { excludeArchived: !query.filter.excludeArchived }),
    ],
  ];

  test.each(different)('%s', (field, differ) => {
    fc.assert(
      fc.property(parents, (parent) => {
        expect(narrowing(parent, differ(parent))).toEqual({ code: 'DIFFERENT', field });
      }),
    );
  });

  test.each([...'projectIds kinds tags attributes excludeIds pathPrefix'.split(' ')])(
    '%s, when it is dropped',
    (name) => {
      const field = name as keyof PageFilter;
      fc.assert(
        fc.property(parents, (parent) => {
          fc.pre(parent.filter[field] !== undefined);

          const derived = without(withPeople(parent), field);

          expect(narrowing(parent, derived)).toEqual({ code: 'DIFFERENT', field });
        }),
      );
    },
  );
});

describe('people', () => {
  test('must not be in the parent', () => {
    fc.assert(
      fc.property(parents, (parent) => {
        const scoped = withPeople(parent);

        expect(narrowing(scoped, scoped)).toEqual({ code: 'PARENT_HAS_PEOPLE', field: 'people' });
      }),
    );
  });

  test('must be in the other query, be it nobody', () => {
    fc.assert(
      fc.property(parents, (parent) => {
        expect(narrowing(parent, parent)).toEqual({ code: 'NO_PEOPLE', field: 'people' });
        expect(narrowing(parent, withPeople(parent, {}, { people: [] }))).toBe('NARROWED');
      }),
    );
  });
});

describe('a field that nobody has thought of yet', () => {
  const values = fc.oneof(fc.boolean(), fc.integer(), fc.string(), ids);

  test('must be equal, beside the filter and in it', () => {
    fc.assert(
      fc.property(parents, values, values, (parent, before, after) => {
        const expected =
          JSON.stringify(before) === JSON.stringify(after)
            ? 'NARROWED'
            : { code: 'DIFFERENT', field: 'someday' };
        const beside = (someday: unknown) => ({ ...parent, someday });
        const within = (someday: unknown) => ({
          ...parent,
          filter: { ...parent.filter, someday },
        });

        expect(narrowing(beside(before), withPeople(beside(after)))).toEqual(expected);
        expect(narrowing(within(before), withPeople(within(after)))).toEqual(expected);
      }),
    );
  });

  test('must not be there when the parent has none, nor be gone', () => {
    fc.assert(
      fc.property(parents, values, (parent, someday) => {
        const more = { ...parent, someday };
        const different = { code: 'DIFFERENT', field: 'someday' };

        expect(narrowing(parent, withPeople(more))).toEqual(different);
        expect(narrowing(more, withPeople(parent))).toEqual(different);
      }),
    );
  });

  test('can have no name that is in both places, where one would hide the other', () => {
    expectTypeOf<Extract<keyof Beside, keyof PageFilter>>().toBeNever();
  });
});
