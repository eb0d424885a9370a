import { GraphQLError } from 'graphql';
import { isJsonObject, MAX_ATTRIBUTE_DEPTH } from '../memory/attributes.ts';
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
