import { GraphQLError } from 'graphql';
import { type JsonObject, type JsonValue, MAX_ATTRIBUTE_DEPTH } from '../memory/attributes.ts';
import { formatInstant } from '../memory/instant.ts';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description:
    'An instant as RFC 3339 with an offset, such as `2026-03-01T10:00:00Z`. A local time without an offset is refused. Kept to the millisecond, answered in UTC.',
  serialize: (value) => formatInstant(Number(value)),
  // The operation that takes it parses it, so that a refusal names the field.
  parseValue: (value) => {
    if (typeof value !== 'string') {
      throw new GraphQLError('DateTime: expected an RFC 3339 string with an offset.');
    }
    return value;
  },
});

builder.scalarType('JSONObject', {
  description: 'A JSON object, nested at most 64 deep.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (!isJsonObject(value)) {
      throw new GraphQLError(
        `JSONObject: expected an object nested at most ${MAX_ATTRIBUTE_DEPTH} deep.`,
      );
    }
    return value;
  },
});

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value, 1);
}

function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_ATTRIBUTE_DEPTH) return false;
  return Object.values(value).every((inner) => isJson(inner, depth + 1));
}
