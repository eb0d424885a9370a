import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawLine, splitLines } from '../../src/importing/split-lines.ts';

/** Text that is hard to cut: ends of lines of every sort, characters of one to four bytes. */
const awkwardText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\u2028', '\u2029', '\ufeff', '\0', '\v', '\f'),
      fc.constantFrom('a', 'é', '適', '😀', 'e\u0301', '{"a": 1}'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join('').toWellFormed());

describe('cuts a text the same way wherever its bytes are cut', () => {
  test('in chunks of any sizes', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardText, fc.array(fc.nat(9)), async (text, sizes) => {
        const lines = await split(chunksOf(Buffer.from(text), sizes));

        expect(textsOf(lines)).toEqual(linesOf(text));
      }),
      { numRuns: 500 },
    );
  });

  test('in chunks of one byte', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardText, async (text) => {
        const bytes = Buffer.from(text);

        const lines = await split([...bytes].map((byte) => Uint8Array.of(byte)));

        expect(textsOf(lines)).toEqual(linesOf(text));
      }),
    );
  });

  test('and counts the bytes up to the end of each line', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardText, fc.array(fc.nat(9)), async (text, sizes) => {
        const bytes = Buffer.from(text);

        const lines = await split(chunksOf(bytes, sizes));

        const ends = lines.map(({ end }) => end);
        const lineFeeds = [...bytes].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []));
        expect(ends).toEqual(
          bytes.length === (lineFeeds.at(-1) ?? 0) ? lineFeeds : [...lineFeeds, bytes.length],
        );
      }),
    );
  });
});

test.each([
  ['nothing', '', []],
  ['one line without an end', 'a', ['a']],
  ['a last line with an end', 'a\nb\n', ['a', 'b']],
  ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
  ['line ends of Windows', 'a\r\n\r\nb\r\n', ['a', '', 'b']],
  ['a last \\r', 'a\nb\r', ['a', 'b']],
  [
    'what only looks like the end of a line',
    'a\rb\u2028c\u2029d\u0085e\n',
    ['a\rb\u2028c\u2029d\u0085e'],
  ],
  ['a byte order mark, which stays', '\ufeffa\n\ufeffb', ['\ufeffa', '\ufeffb']],
])('reads %s', async (_name, text, expected) => {
  const lines = await split([Buffer.from(text)]);

  expect(textsOf(lines)).toEqual(expected);
});

test('tells bytes that are no UTF-8, and reads on', async () => {
  const surrogate = Buffer.from([0xed, 0xa0, 0x80]);
  const latin = Buffer.from('café', 'latin1');
  const torn = Buffer.from('😀').subarray(0, 3);
  const feed = Buffer.from('\n');

  const lines = await split([latin, feed, surrogate, feed, Buffer.from('fine\n'), torn]);

  expect(lines.map(({ kind }) => kind)).toEqual(['NO_UTF8', 'NO_UTF8', 'TEXT', 'NO_UTF8']);
});

test('tells the size of a line that is too long, and reads on', async () => {
  const text = `${'x'.repeat(10)}\n${'y'.repeat(11)}\nz\n${'w'.repeat(40)}`;

  const lines = await split(chunksOf(Buffer.from(text), [3]), 10);

  expect(lines).toEqual([
    { kind: 'TEXT', text: 'x'.repeat(10), end: 11 },
    { kind: 'TOO_LONG', bytes: 11, end: 23 },
    { kind: 'TEXT', text: 'z', end: 25 },
    { kind: 'TOO_LONG', bytes: 40, end: 65 },
  ]);
});

test('fails as its source fails, after the lines that came before', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\nb');
    throw new Error('the disk is gone');
  }
  const seen: string[] = [];

  const reading = (async () => {
    for await (const line of splitLines(broken())) seen.push(...textsOf([line]));
  })();

  await expect(reading).rejects.toThrow('the disk is gone');
  expect(seen).toEqual(['a']);
});

/** The law: a text cut whole. What is after the last end is a line only when there is something. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/u, ''));
}

/** Cuts bytes by the sizes, over and over; a size of 0 gives an empty chunk. */
function chunksOf(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  while (start < bytes.length) {
    for (const size of [...sizes, 1]) {
      chunks.push(bytes.subarray(start, start + size));
      start += size;
    }
  }
  return chunks;
}

async function split(chunks: readonly Uint8Array[], maxBytes?: number): Promise<RawLine[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  return Array.fromAsync(splitLines(source(), maxBytes));
}

function textsOf(lines: readonly RawLine[]): string[] {
  return lines.map((line) => (line.kind === 'TEXT' ? line.text : line.kind));
}
