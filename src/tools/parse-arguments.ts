import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../memory/attributes.ts';
import { InvalidInputError } from '../memory/errors.ts';
import { quoteText, toShown } from '../memory/shown-text.ts';

/**
 * Arguments as their schema gives them out. Null is the same as left out, wherever the schema names
 * what may stand there. Each part of the schema says in `error` what it expects.
 *
 * @throws {InvalidInputError} naming the first that does not fit: unknown ones first, then in the
 * order of the schema
 */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  inputSchema: JsonObject,
  args: JsonObject,
): z.output<Schema> {
  const given = keepKnown(args, inputSchema, '');
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  throw new InvalidInputError(
    path.join('.'),
    issue?.message ?? 'arguments that fit',
    describe(valueAt(given, path)),
  );
}

/** The arguments without nulls, once none is unknown. Goes no deeper than the schema does. */
function keepKnown(value: JsonValue, schema: JsonObject, within: string): JsonValue {
  const { items, properties } = schema;
  if (isList(value)) {
    return isObject(items)
      ? value.map((item, index) => keepKnown(item, items, `${within}${index}.`))
      : value;
  }
  if (!isObject(value) || !isObject(properties)) return value;
  const names = Object.keys(properties);
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    throw new InvalidInputError(
      `${within}${toShown(name)}`,
      `one of ${names.join(', ')}`,
      'an unknown argument',
    );
  }
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const own = properties[name];
    if (inner === null) return [];
    return [[name, isObject(own) ? keepKnown(inner, own, `${within}${name}.`) : inner]];
  });
  return Object.fromEntries(kept);
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined,
    value,
  );
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return quoteText(value);
  if (value === null || typeof value !== 'object') return String(value);
  return isList(value) ? `a list of ${value.length}` : 'an object';
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** `Array.isArray` does not tell a readonly list from an object. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
