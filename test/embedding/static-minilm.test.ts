import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openStaticMiniLm } from '../../src/embedding/static-minilm.ts';

/** Made once with another implementation over the same table; vectors are little-endian float32 in base64. */
const references = z
  .array(z.object({ text: z.string(), vector: z.base64().transform(toVector) }))
  .parse(JSON.parse(readFileSync(new URL('reference-vectors.json', import.meta.url), 'utf8')));

const embedder = openStaticMiniLm();

test.each(references)('agrees with the reference on %#', async ({ text, vector }) => {
  const [own = null] = await embedder.embed([text]);

  expect(cosine(own, vector)).toBeGreaterThanOrEqual(0.9999);
});

test('gives unit vectors of its dimensions, in the order of the texts', async () => {
  const vectors = await embedder.embed(references.map(({ text }) => text));

  for (const [index, { vector }] of references.entries()) {
    const own = vectors[index] ?? null;
    expect(own).toHaveLength(embedder.dimensions);
    expect(cosine(own, own)).toBeCloseTo(1, 5);
    expect(cosine(own, vector)).toBeGreaterThanOrEqual(0.9999);
  }
});

test('finds texts of like meaning nearer than others', async () => {
  const [crash = null, failure = null, cake = null] = await embedder.embed([
    'The server crashed after the deployment.',
    'Our release made the backend fail.',
    'My grandmother bakes chocolate cake.',
  ]);

  expect(cosine(crash, failure)).toBeGreaterThan(cosine(crash, cake) + 0.1);
});

test('gives no vector where a text has no piece', async () => {
  const blank = ['', ' \n\t\u3000', '\u0301\u0308', '\u0000\u200b', '\ud800', 'x'.repeat(101)];

  const vectors = await embedder.embed([...blank, 'word']);

  expect(vectors.slice(0, -1)).toEqual(blank.map(() => null));
  expect(vectors.at(-1)).toBeInstanceOf(Float32Array);
});

test('gives equal vectors again, and whatever stands beside the text', async () => {
  const [alone] = await embedder.embed(['a page about retries']);

  const [, beside] = await embedder.embed(['other words', 'a page about retries']);
  const [elsewhere] = await openStaticMiniLm().embed(['a page about retries']);

  expect(beside).toEqual(alone);
  expect(elsewhere).toEqual(alone);
});

test('reads no more than 512 pieces', async () => {
  const full = 'word '.repeat(512);

  const [cut, whole] = await embedder.embed([`${full}${'other '.repeat(1000)}`, full]);

  expect(cut).toEqual(whole);
});

test('forgets no result when more words come than it keeps', async () => {
  const [before] = await embedder.embed(['kubernetes']);
  const words = Array.from({ length: 500 }, (_, part) =>
    Array.from({ length: 120 }, (_, word) => `w${part}x${word}`).join(' '),
  );

  await embedder.embed(words);
  const [after] = await embedder.embed(['kubernetes']);

  expect(after).toEqual(before);
});

test.each([
  ['one word', 'a'],
  ['half surrogate pairs', '\ud800'],
  ['combining marks', '\u0301'],
  ['a letter that is unknown', '\u9002'],
  ['white space', ' '],
  ['words that end in an unknown letter', `${'ab'.repeat(31)}\u2603 `],
])('survives 1 MiB of %s', async (_, unit) => {
  const text = unit.repeat(Math.ceil(2 ** 20 / unit.length));

  const vectors = await embedder.embed([text]);

  expect(vectors).toEqual([null]);
});

function toVector(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}

function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) return Number.NaN;
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((total, value, index) => total + value * (y[index] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
