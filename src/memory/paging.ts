import { InvalidInputError } from './errors.ts';

/**
 * How many entries a caller asks for.
 *
 * @throws {InvalidInputError} naming `field` unless it is a whole number from 1 to `most`: it is
 * never cut to fit
 */
export function parseFirst(
  first: number,
  { most, field }: { readonly most: number; readonly field: string },
): number {
  if (!Number.isInteger(first) || first < 1 || first > most) {
    throw new InvalidInputError(field, `a whole number from 1 to ${most}`, String(first));
  }
  return first;
}
