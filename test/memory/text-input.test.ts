import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInputError } from '../../src/memory/errors.ts';
import { parseText } from '../../src/memory/text-input.ts';

const RULE = { field: 'title', maxCharacters: 5, maxBytes: 12 };

test.each(['', ' a ', 'Cafe\u0301', 'a\r\nb', '\ufeffa', '👍👍👍', '\u0001'])(
  'gives %j back as it is',
  (value) => {
    const text = parseText(value, RULE);

    expect(text).toBe(value);
  },
);

test('counts characters as code points, not as UTF-16 units', () => {
  const thumbs = '👍'.repeat(5);

  const text = parseText(thumbs, { field: 'title', maxCharacters: 5 });

  expect(text).toBe(thumbs);
  expect(() => parseText(`${thumbs}a`, { field: 'title', maxCharacters: 5 })).toThrow(
    InvalidInputError,
  );
});

test('never shows the text in a refusal', () => {
  const secrets = ['hunter2hunter2', 'hunter2\0', 'hunter2\ud800'];

  const messages = secrets.map((value) => refusal(value));

  expect(messages.filter((message) => message?.includes('hunter2'))).toEqual([]);
  expect(messages).not.toContain(null);
});

test('takes exactly the texts within the rule, unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (value) => {
      const isLegal =
        value.isWellFormed() &&
        !value.includes('\0') &&
        [...value].length <= RULE.maxCharacters &&
        Buffer.byteLength(value) <= RULE.maxBytes;

      const isTaken = refusal(value) === null;

      expect(isTaken).toBe(isLegal);
    }),
  );
});

function refusal(value: string): string | null {
  try {
    expect(parseText(value, RULE)).toBe(value);
    return null;
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message;
    throw error;
  }
}
