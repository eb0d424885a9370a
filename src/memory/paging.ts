import { parseCount } from './parse-number.ts';

/**
 * How many entries a caller asks for: never cut to fit.
 *
 * @throws {InvalidInputError} naming `field` unless it is a whole number from 1
 * @throws {LimitExceededError} naming `field` when it is above `most`
 */
export function parseFirst(
  first: number,
  { most, field }: { readonly most: number; readonly field: string },
): number {
  return parseCount(field, first, most);
}
