import {
  getNamedType,
  isCompositeType,
  isUnionType,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

test.each([
  ['CreateProjectResult', ['AlreadyExists', 'Forbidden', 'InvalidInput']],
  ['PurgePageResult', ['Forbidden', 'InvalidInput', 'NotFound']],
  ['AssignPersonResult', ['Forbidden', 'InvalidInput', 'NotFound']],
  ['EndSessionResult', ['Forbidden', 'InvalidInput', 'NotFound']],
  ['UnlinkPagesResult', ['Forbidden', 'InvalidInput', 'LimitExceeded']],
])('%s has no failure that cannot come', (name, failures) => {
  const union = schema.getType(name);

  const members = isUnionType(union) ? union.getTypes().map((member) => member.name) : [];

  expect(members.filter((member) => !member.endsWith('Success'))).toEqual(failures);
});

const unions = Object.values(schema.getTypeMap()).filter(isUnionType);

test.each(unions.map((union) => [union.name, union] as const))(
  'one query may ask every member of %s for all that it says',
  (_name, union) => {
    const selections = union.getTypes().map((member) => {
      const leaves = Object.values(member.getFields()).filter(
        ({ type, args }) => !isCompositeType(getNamedType(type)) && args.length === 0,
      );
      return `... on ${member.name} { ${leaves.map(({ name }) => name).join(' ')} __typename }`;
    });
    const document = parse(`fragment All on ${union.name} { ${selections.join(' ')} }`);

    const conflicts = validate(schema, document, [OverlappingFieldsCanBeMergedRule]);

    expect(conflicts.map(({ message }) => message)).toEqual([]);
  },
);

test('lets each root query field that may fail fail alone', () => {
  const fields = schema.getQueryType()?.getFields() ?? {};

  const binding = Object.values(fields)
    .filter(({ type }) => String(type).endsWith('!'))
    .map(({ name }) => name);

  // Lists whose places fail one by one, what is known without a store, and the gateway's.
  expect(binding.sort()).toEqual(['_entities', '_service', 'nodes', 'tools', 'viewer']);
});
