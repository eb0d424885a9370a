import { InvalidInputError, LimitExceededError } from './errors.ts';

/**
 * A count from 1 to a limit.
 *
 * @throws {InvalidInputError} naming the field, unless it is a whole number from 1
 * @throws {LimitExceededError} naming the field and the limit: it is never cut to fit
 */
export function parseCount(field: string, value: number, limit: number): number {
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidInputError(field, `a whole number from 1 to ${limit}`, String(value));
  }
  if (value > limit) throw new LimitExceededError(field, limit, value);
  return value;
}

/** A whole number from low to high. @throws {InvalidInputError} naming the field */
export function parseWhole(
  value: number,
  [low, high]: readonly [number, number],
  field: string,
): number {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new InvalidInputError(field, `a whole number from ${low} to ${high}`, String(value));
  }
  return value;
}
