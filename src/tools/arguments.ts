import { z } from 'zod';
import { parseAsOf } from '../memory/as-of.ts';
import type { JsonObject } from '../memory/attributes.ts';
import type { AsOf } from '../memory/view.ts';

/**
 * The kinds of arguments that tools take. `error` says what is expected, as a noun phrase, for the
 * refusal; the description is for the model.
 */
export const text = (expected = 'a text') => z.string({ error: expected });

export const flag = () => z.boolean({ error: 'true or false' });

export const whole = (low: number, high: number) => {
  const error = `a whole number from ${low} to ${high}`;
  return z.int({ error }).min(low, { error }).max(high, { error });
};

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(', ')}` });

export const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, { error: `a list of ${what}` });

export const shortListOf = <Item extends z.ZodType>(item: Item, what: string, most: number) => {
  const error = `a list of 1 to ${most} ${what}`;
  return z.array(item, { error }).min(1, { error }).max(most, { error });
};

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What JSON may hold, kept as it is: with names that a schema would not let through. */
export const json = () =>
  z.custom<JsonObject>(isObject, { error: 'an object' }).meta({ type: 'object' });

/** Optional ones that more than one tool takes: each means the same everywhere. */
export const PROJECT = text('the name of a project')
  .optional()
  .describe('Project of paths that name none.');

const EITHER_INSTANT = 'an object with valid_at, recorded_at or both';

export const AS_OF = z
  .strictObject(
    { valid_at: text('an instant').optional(), recorded_at: text('an instant').optional() },
    { error: EITHER_INSTANT },
  )
  .refine(({ valid_at, recorded_at }) => valid_at !== undefined || recorded_at !== undefined, {
    error: EITHER_INSTANT,
  })
  .optional()
  .describe('The past: true at valid_at, known at recorded_at (RFC 3339).');

/** Counted on the text of the answer, which says what was left out for it. */
const BUDGET = whole(1, 1_000_000).optional();

export const TOKEN_BUDGET = BUDGET.describe('Most tokens of the answer; one hit always comes.');

export const tokenBudgetOfPage = (tokens: number) =>
  BUDGET.describe(
    `Most tokens of the answer, ${tokens} when left out: edges and body are cut, facts never.`,
  );

/**
 * The instant of a read; null for the present.
 *
 * @throws {InvalidInputError} naming `as_of`, `as_of.valid_at` or `as_of.recorded_at`
 */
export function toAsOf(
  asOf:
    | { readonly valid_at?: string | undefined; readonly recorded_at?: string | undefined }
    | undefined,
  now: number,
): AsOf | null {
  if (asOf === undefined) return null;
  return parseAsOf({ validAt: asOf.valid_at, recordedAt: asOf.recorded_at }, now);
}
