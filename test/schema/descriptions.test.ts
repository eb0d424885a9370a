import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

/** Types that GraphQL and Federation bring along. */
const FOREIGN = /^(?:__|_|String$|Int$|Float$|ID$|Boolean$|link__|federation__)/u;

test('describes every type, field, argument and value of the schema', () => {
  const bare: string[] = [];
  const check = (place: string, described: { description?: string | null | undefined }) => {
    if (!described.description) bare.push(place);
  };

  for (const type of Object.values(schema.getTypeMap())) {
    if (FOREIGN.test(type.name)) continue;
    check(type.name, type);
    if (isEnumType(type)) {
      for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        if (field.name.startsWith('_')) continue;
        check(`${type.name}.${field.name}`, field);
        for (const arg of field.args) check(`${type.name}.${field.name}(${arg.name})`, arg);
      }
    }
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        check(`${type.name}.${field.name}`, field);
      }
    }
  }

  expect(bare).toEqual([]);
});
