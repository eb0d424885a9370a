import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, digestOf, isSame } from '../../src/memory/canonical-json.ts';

const values = fc.jsonValue() as fc.Arbitrary<Parameters<typeof canonicalJson>[0]>;

test('writes the names of an object in order, at any depth, and nothing that is undefined', () => {
  const value = { b: [{ z: 1, a: undefined, y: 'é"' }], a: null, __proto__: null };

  expect(canonicalJson(value)).toBe('{"a":null,"b":[{"y":"é\\"","z":1}]}');
});

test('keeps names that objects have of themselves', () => {
  const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}');

  expect(canonicalJson(hostile)).toBe('{"__proto__":{"a":1},"constructor":2}');
  expect(isSame(hostile, JSON.parse('{"__proto__":{"a":2},"constructor":2}'))).toBe(false);
  expect(isSame(hostile, { constructor: 2 })).toBe(false);
});

test('is read back as what it was made of', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('two values are the same exactly when their texts and digests are', () => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      const isEqual = canonicalJson(one) === canonicalJson(other);

      expect(isSame(one, other)).toBe(isEqual);
      expect(digestOf(one) === digestOf(other)).toBe(isEqual);
      expect(isSame(one, structuredClone(one))).toBe(true);
    }),
  );
});
