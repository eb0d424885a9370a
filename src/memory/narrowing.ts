import { type Canonical, isSame } from './canonical-json.ts';
import type { CompleteQuery } from './complete-query.ts';
import type { PageFilter } from './page-store.ts';
import { encodedText, type NoVector } from './query-meaning.ts';

type QueryField = Exclude<keyof CompleteQuery, 'filter'> | keyof PageFilter;

/** Whether a field of the derived query asks for no more than that of its parent. */
type Rule = (parent: Canonical, derived: Canonical) => boolean;

/** The fields that may differ, and how. All others must be equal, also those that are yet to come. */
const NARROWER = new Map<string, Rule>(
  Object.entries({
    includeIds: (parent, derived) => parent === undefined || isWithin(parent, derived),
    subjects: (parent, derived) => isWithin(parent ?? [], derived ?? []),
    sensitivityCeiling: isAtMost,
    limit: isAtMost,
    tokenBudget: isAtMost,
  } satisfies { readonly [Field in QueryField]?: Rule }),
);

/**
 * Whether the vector of a query that was prepared may serve another one, which asks for the pages of
 * some people among what the first asks for.
 *
 * Both are what their texts say: who asks, where and when is part of a query, so nothing has to be
 * remembered here. A field that has no rule is compared, whatever it means.
 *
 * @returns `NARROWED`, or the first reason against it: people, then what the encoder got, then the
 * other fields by name
 */
export function narrowing(parent: CompleteQuery, derived: CompleteQuery): 'NARROWED' | NoVector {
  if (parent.filter.people !== undefined) return { code: 'PARENT_HAS_PEOPLE', field: 'people' };
  if (derived.filter.people === undefined) return { code: 'NO_PEOPLE', field: 'people' };
  if (encodedText(parent) !== encodedText(derived)) return { code: 'DIFFERENT', field: 'text' };

  const [before, after] = [fieldsOf(parent), fieldsOf(derived)];
  const names = new Set([...before.keys(), ...after.keys()]);
  names.delete('people');
  for (const field of [...names].toSorted()) {
    const rule = NARROWER.get(field);
    const isFine = (rule ?? isSame)(before.get(field), after.get(field));
    if (!isFine) return { code: rule === undefined ? 'DIFFERENT' : 'WIDENED', field };
  }
  return 'NARROWED';
}

/** No name is in both: the types of `QueryField` would be one. */
function fieldsOf({ filter, ...rest }: CompleteQuery): ReadonlyMap<string, Canonical> {
  return new Map<string, Canonical>([...Object.entries(filter), ...Object.entries(rest)]);
}

/** Whoever takes some of a list mostly keeps its order: then one walk tells, in a fifth of the time. */
function isWithin(parent: Canonical, derived: Canonical): boolean {
  if (!Array.isArray(parent) || !Array.isArray(derived)) return false;
  let taken = 0;
  for (const item of parent) {
    if (item === derived[taken]) taken += 1;
  }
  if (taken === derived.length) return true;
  const allowed = new Set(parent);
  return derived.every((item) => allowed.has(item));
}

/** Nothing is no bound. */
function isAtMost(parent: Canonical, derived: Canonical): boolean {
  return toBound(derived) <= toBound(parent);
}

function toBound(value: Canonical): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}
