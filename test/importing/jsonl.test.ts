import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NumberedLine, readJsonLines } from '../../src/importing/jsonl.ts';
import { MAX_LINE_BYTES } from '../../src/importing/split-lines.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-jsonl-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const PAGE = {
  type: 'page',
  path: 'a',
  title: 'A',
  body: '',
  kind: 'NOTE',
  otherKind: null,
  tags: [],
  attributes: {},
  sensitivity: null,
  importance: null,
  validFrom: null,
  validTo: null,
};

describe('a page', () => {
  test.each([
    ['needs a key and a title', {}, {}],
    ['may hold null for what it leaves out', { body: null, kind: null, tags: null, at: null }, {}],
    ['may name its kind in lower case', { kind: 'fact' }, { kind: 'FACT' }],
    [
      'of an unknown kind is a note with that attribute',
      { kind: 'Commit' },
      { otherKind: 'Commit', attributes: { kind: 'Commit' } },
    ],
    [
      'keeps fields without a place of their own as attributes',
      { author: 'ann', files: [1, { deep: null }], constructor: 'x' },
      { attributes: { author: 'ann', files: [1, { deep: null }], constructor: 'x' } },
    ],
    [
      'holds its attributes above such fields',
      { author: 'ann', attributes: { author: 'bob' } },
      { attributes: { author: 'bob' } },
    ],
    ['is true since `at`', { at: '2026-03-01T10:00:00Z' }, { validFrom: '2026-03-01T10:00:00Z' }],
    [
      'is true since `validFrom`, if it has both',
      { at: '2026-03-01T10:00:00Z', validFrom: '2026-01-01T00:00:00Z' },
      { validFrom: '2026-01-01T00:00:00Z' },
    ],
    [
      'keeps signs that end lines elsewhere',
      { title: 'a\u2028b\u2029c' },
      { title: 'a\u2028b\u2029c' },
    ],
  ])('%s', async (_name, fields, expected) => {
    const lines = await read(JSON.stringify({ type: 'page', key: 'a', title: 'A', ...fields }));

    expect(lines).toEqual([{ number: 1, line: { ...PAGE, ...expected } }]);
  });
});

test('reads an edge, with `detail` and `at` for what other tools call so', async () => {
  const lines = await read(
    '{"type": "edge", "from": "a", "to": "b", "kind": "causes"}',
    '{"type":"edge","from":"a","to":"b","kind":"FIXES","detail":"why","at":"2026-03-01T10:00:00Z"}',
  );

  const edge = { type: 'edge', from: 'a', to: 'b', validTo: null };
  expect(lines.map(({ line }) => line)).toEqual([
    { ...edge, kind: 'CAUSES', note: null, validFrom: null },
    { ...edge, kind: 'FIXES', note: 'why', validFrom: '2026-03-01T10:00:00Z' },
  ]);
});

describe('a faulty line is told with its field, and is', () => {
  test.each([
    ['no JSON', '{"type":"page"', 'line: expected a JSON object, but the line is no JSON'],
    ['two objects', '{} {}', 'line: expected a JSON object, but the line is no JSON'],
    ['an array', '[1]', 'line: Invalid input: expected object, received array'],
    ['a text', '"x"', 'line: Invalid input: expected object, received string'],
    ['null', 'null', 'line: Invalid input: expected object, received null'],
    ['of no type', '{}', 'type: '],
    ['of an unknown type', '{"type":"pge","key":"a","title":"A"}', 'type: '],
    ['without a key', '{"type":"page","title":"A"}', 'key: '],
    ['without a title', '{"type":"page","key":"a"}', 'title: '],
    ['with a key of null', '{"type":"page","key":null,"title":"A"}', 'key: '],
    ['with a number for a title', '{"type":"page","key":"a","title":1}', 'title: '],
    ['with a text for tags', '{"type":"page","key":"a","title":"A","tags":"x"}', 'tags: '],
    ['with a number for a tag', '{"type":"page","key":"a","title":"A","tags":["x",2]}', 'tags.1: '],
    [
      'with an array for attributes',
      '{"type":"page","key":"a","title":"A","attributes":[]}',
      'attributes: ',
    ],
    [
      'with a number that is too large',
      '{"type":"page","key":"a","title":"A","more":1e999}',
      'more: ',
    ],
    [
      'with such an attribute',
      '{"type":"page","key":"a","title":"A","attributes":{"n":-1e999}}',
      'attributes.n: ',
    ],
    [
      'with an unknown sensitivity',
      '{"type":"page","key":"a","title":"A","sensitivity":"TOP"}',
      'sensitivity: ',
    ],
    [
      'with a text for importance',
      '{"type":"page","key":"a","title":"A","importance":"5"}',
      'importance: ',
    ],
    ['an edge without an end', '{"type":"edge","from":"a","kind":"CAUSES"}', 'to: '],
    ['an edge of an unknown kind', '{"type":"edge","from":"a","to":"b","kind":"LIKES"}', 'kind: '],
    ['an edge of no kind', '{"type":"edge","from":"a","to":"b"}', 'kind: '],
    [
      'nested without end',
      `{"type":"page","key":"a","title":"A","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'line: expected JSON nested at most 64 deep',
    ],
  ])('%s', async (_name, faulty, reason) => {
    const lines = await read(faulty, '{"type":"page","key":"a","title":"A"}');

    const [told, next] = lines;
    expect(told?.line.type === 'fault' && told.line.reason.slice(0, reason.length)).toBe(reason);
    expect(next).toEqual({ number: 2, line: PAGE });
  });

  test('of other bytes than UTF-8', async () => {
    const file = await write('latin.jsonl', Buffer.from('{"title":"café"}\n{}', 'latin1'));

    const [first] = await collect(file);

    expect(first?.line).toEqual({
      type: 'fault',
      reason: 'line: expected UTF-8, but got other bytes',
    });
  });

  test('far too long', async () => {
    const long = JSON.stringify({
      type: 'page',
      key: 'a',
      title: 'A',
      body: 'x'.repeat(MAX_LINE_BYTES),
    });

    const lines = await read(long, '{"type":"page","key":"a","title":"A"}');

    expect(lines).toEqual([
      {
        number: 1,
        line: {
          type: 'fault',
          reason: `line: expected at most ${MAX_LINE_BYTES} bytes, but got ${long.length}`,
        },
      },
      { number: 2, line: PAGE },
    ]);
  });
});

test('passes over blank lines and a byte order mark, and counts them', async () => {
  const page = '{"type":"page","key":"a","title":"A"}';
  const file = await write('windows.jsonl', `\ufeff\r\n \t\r\n${page}\r\n\r\n${page}`);
  const marked = await write('marked.jsonl', `\ufeff${page}\n`);

  const numbers = (await collect(file)).map(({ number }) => number);
  const lines = await collect(marked);

  expect(numbers).toEqual([3, 5]);
  expect(lines).toEqual([{ number: 1, line: PAGE }]);
});

test('reads a packed file as the plain one, also when it was packed in pieces', async () => {
  const text = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({ type: 'page', key: `page/${index}`, title: `適者 ${index} 😀` }),
  ).join('\n');
  const middle = text.indexOf('適', text.length / 2);
  const pieces = [text.slice(0, middle), text.slice(middle)].map((piece) => gzipSync(piece));

  const plain = await collect(await write('plain.jsonl', text));
  const packed = await collect(await write('packed.jsonl.gz', gzipSync(text)));
  const joined = await collect(await write('joined.jsonl.gz', Buffer.concat(pieces)));

  expect(plain).toHaveLength(5_000);
  expect(packed).toEqual(plain);
  expect(joined).toEqual(plain);
});

test('names a file that cannot be read, and why', async () => {
  const whole = gzipSync('{"type":"page","key":"a","title":"A"}\n'.repeat(100));
  const files = [
    [join(folder, 'missing.jsonl'), 'there is none'],
    [folder, 'it is a folder'],
    [await write('plain.gz', 'no gzip'), 'it is no gzip file, or a damaged one'],
    [await write('cut.gz', whole.subarray(0, -20)), 'it is a gzip file that was cut off'],
  ] as const;

  for (const [file, reason] of files) {
    await expect(collect(file)).rejects.toMatchObject({
      code: 'UNREADABLE_FILE',
      message: `Expected a file that can be read at ${file}, but ${reason}.`,
    });
  }
});

async function read(...lines: readonly string[]): Promise<Pick<NumberedLine, 'number' | 'line'>[]> {
  return collect(await write('lines.jsonl', lines.join('\n')));
}

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

async function collect(file: string): Promise<Pick<NumberedLine, 'number' | 'line'>[]> {
  return Array.fromAsync(readJsonLines(file), ({ number, line }) => ({ number, line }));
}
