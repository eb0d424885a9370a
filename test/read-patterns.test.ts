import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../src/memory/redaction.ts';
import { parsePatterns, readPatterns } from '../src/read-patterns.ts';

const redactorOf = (...lines: readonly string[]) => createRedactor(parsePatterns(lines.join('\n')));

describe('patterns of an operator', () => {
  test('have their label as the kind, and are custom without one', () => {
    const { redact } = redactorOf('# staff', '', 'employee: EMP-\\d{6}', 'ticket://\\w+');

    expect(redact('EMP-123456 opened ticket://abc')).toBe(
      '[REDACTED:employee] opened [REDACTED:custom]',
    );
  });

  test('come after the built-in ones, and break up no mark', () => {
    const { redact, redactNamed } = redactorOf('[A-Z]{8}', 'a[a-z ]*');

    expect(redact('postgres://u:pw@host')).toBe('postgres://u:[REDACTED:connection_string]@host');
    expect(redact('ABCDEFGH and so')).toBe('[REDACTED:custom] [REDACTED:custom]');
    expect(redactNamed('password', 'hunter2hunter2')).toBe('[REDACTED:password_assignment]');
  });

  test('do nothing more the second time', () => {
    const { redact } = redactorOf('EMP-\\d+', '[A-Z]+', 'custom', '\\[|\\]');
    const text = fc.array(fc.constantFrom('EMP-', '1', 'A', 'x', '[', ']', 'custom', ' ', 'sk-'));

    fc.assert(
      fc.property(text, (parts) => {
        const once = redact(parts.join(''));
        expect(redact(once)).toBe(once);
      }),
    );
  });

  test('are matched in linear time, whatever they and the text are', () => {
    const { redact } = redactorOf('(a+)+$', '(a|a)*b', '(x*)*y');
    const text = `${'a'.repeat(20_000)}!${'x'.repeat(20_000)}`;

    expect(redact(text)).toBe(text);
  });

  test('place no mark where nothing is', () => {
    expect(redactorOf('\\bx?').redact('a x')).toBe('a [REDACTED:custom]');
  });
});

describe('faults are told by line', () => {
  test.each([
    ['(a', 'expected a pattern in the syntax of RE2, but error parsing regexp'],
    ['(?<=a)b', 'expected a pattern in the syntax of RE2'],
    ['(a)\\1', 'expected a pattern in the syntax of RE2'],
    ['a*', 'expected a pattern that does not match the empty text.'],
  ])('%s', (pattern, message) => {
    expect(() => parsePatterns(`fine\n${pattern}`)).toThrow(
      `CAUSEWAY_REDACT_PATTERNS, line 2: ${message}`,
    );
  });

  test('too many patterns, and a file that is not there', async () => {
    expect(() => parsePatterns('x\n'.repeat(101))).toThrow('at most 100 patterns, but got 101');
    await expect(readPatterns('/no/such/file')).rejects.toThrow(
      'CAUSEWAY_REDACT_PATTERNS: expected a file to read, but ENOENT',
    );
  });
});

test('are read from a file, and none where none is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-patterns-'));
  const file = join(folder, 'patterns.txt');
  await writeFile(file, 'badge: B\\d{4}\r\n');

  const { redact } = createRedactor(await readPatterns(file));

  expect(redact('B1234')).toBe('[REDACTED:badge]');
  expect(await readPatterns(null)).toEqual([]);
});
