import { InvalidInputError } from './errors.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Free attributes of a page: a JSON object of at most 16 KiB. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Most objects and lists within each other: deep enough for any real attributes. */
export const MAX_ATTRIBUTE_DEPTH = 64;

/**
 * Bounds the recursion of all that reads the attributes later. Looks at them level by level, since a
 * recursion of its own would fail on what it is to refuse.
 *
 * @throws {InvalidInputError} naming the field
 */
export function checkDepth(attributes: JsonObject, field: string): void {
  let level: readonly JsonValue[] = [attributes];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_ATTRIBUTE_DEPTH) {
      const expected = `an object nested at most ${MAX_ATTRIBUTE_DEPTH} deep`;
      throw new InvalidInputError(field, expected, 'one that is nested deeper');
    }
    level = level.flatMap((value): readonly JsonValue[] =>
      Object.values(value ?? {}).filter((inner) => typeof inner === 'object' && inner !== null),
    );
  }
}

/** Whether a value is a JSON object, nested no deeper than attributes may be. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value, 1);
}

function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_ATTRIBUTE_DEPTH) return false;
  return Object.values(value).every((inner) => isJson(inner, depth + 1));
}
