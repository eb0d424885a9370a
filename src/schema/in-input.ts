import { within } from '../memory/errors.ts';

/**
 * Runs work over a field's argument `input`. Memory names the fields of what it was handed; the
 * caller wrote them inside `input`, so there a refusal points.
 */
export async function inInput<Result>(work: () => Promise<Result>): Promise<Result> {
  return within('input', work);
}
