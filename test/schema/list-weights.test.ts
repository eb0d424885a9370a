import {
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

/** Lists whose length the field above says: it multiplies with the size of what is in them. */
const SAID_ABOVE = new Set([
  'LinkPagesSuccess.edges',
  'UnlinkPagesSuccess.edges',
  'WritePagesSuccess.pages',
  'Recall.degraded',
  'Recall.hits',
  'Traversal.pages',
  'Traversal.truncated',
  'RootCauses.openEnds',
  'RootCauses.pages',
  'RootCauses.truncated',
  'Disputes.edges',
  'Disputes.truncated',
]);

test('says of every list of objects how long it may be, so that no cost hides in one', () => {
  const silent: string[] = [];

  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const isKnown =
        'size' in field.extensions || SAID_ABOVE.has(name) || type.name.endsWith('Connection');
      if (isListOfObjects(field.type) && !isKnown) silent.push(name);
    }
  }

  expect(silent).toEqual([]);
});

function isListOfObjects(type: GraphQLOutputType): boolean {
  const inner = isNonNullType(type) ? type.ofType : type;
  return isListType(inner) && isCompositeType(getNamedType(inner));
}
