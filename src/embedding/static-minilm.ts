import { readFileSync } from 'node:fs';
import type { Embedder } from '../memory/stores.ts';
import { basicTokens } from './basic-tokens.ts';

const FOLDER = new URL('../../models/static-minilm-256/', import.meta.url);
const DIMENSIONS = 256;
/** Pieces of a text that count; the rest of it is not looked at. */
const MAX_PIECES = 512;
/** Longer words are hashes or noise: they have no piece. */
const MAX_WORD_CHARACTERS = 100;
/** Words whose pieces are kept; a word costs a few dozen look-ups to cut. */
const MAX_CACHED_WORDS = 50_000;

type Table = {
  readonly pieces: ReadonlyMap<string, number>;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
};

/**
 * The built-in embedder: a table of vectors for WordPieces, summed and normalised. Offline, on the
 * CPU, about 16 µs a text. The table (7.9 MB) is read at the first embedding.
 *
 * Source: "Model2Vec", Minish Lab 2024, for the distillation; `models/README.md` for how this one was made.
 */
export function openStaticMiniLm(): Embedder {
  let table: Table | null = null;
  const cache = new Map<string, readonly number[]>();
  return {
    model: 'static-minilm-256@1',
    dimensions: DIMENSIONS,
    async embed(texts) {
      table ??= readTable();
      const { rows, scales } = table;
      return texts.map((text) => sum(toPieces(text, table ?? readTable(), cache), rows, scales));
    },
  };
}

function readTable(): Table {
  const read = (name: string) => readFileSync(new URL(name, FOLDER));
  const bytes = read('embeddings.i8');
  const words = read('vocab.txt').toString('utf8').split('\n');
  const scales = new Float32Array(new Uint8Array(read('scales.f32')).buffer);
  return {
    pieces: new Map(words.slice(0, scales.length).map((piece, row) => [piece, row])),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scales,
  };
}

function toPieces(text: string, table: Table, cache: Map<string, readonly number[]>): number[] {
  const pieces: number[] = [];
  for (const word of basicTokens(text)) {
    let found = cache.get(word);
    if (found === undefined) {
      found = cutWord(word, table.pieces);
      if (cache.size < MAX_CACHED_WORDS) cache.set(word, found);
    }
    pieces.push(...found);
    if (pieces.length >= MAX_PIECES) return pieces.slice(0, MAX_PIECES);
  }
  return pieces;
}

/** WordPiece: the longest known piece first, again and again; a word that cannot be cut whole has none. */
function cutWord(word: string, known: ReadonlyMap<string, number>): readonly number[] {
  if (word.length > 2 * MAX_WORD_CHARACTERS) return [];
  const characters = [...word];
  if (characters.length > MAX_WORD_CHARACTERS) return [];
  const pieces: number[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = characters.length;
    let piece: number | undefined;
    for (; end > start && piece === undefined; end--) {
      piece = known.get((start === 0 ? '' : '##') + characters.slice(start, end).join(''));
    }
    if (piece === undefined) return [];
    pieces.push(piece);
    start = end + 1;
  }
  return pieces;
}

/** The unit vector of the sum; null where there is nothing to sum. */
function sum(
  pieces: readonly number[],
  rows: Int8Array,
  scales: Float32Array,
): Float32Array | null {
  const vector = new Float32Array(DIMENSIONS);
  for (const piece of pieces) {
    const scale = scales[piece] ?? 0;
    const offset = piece * DIMENSIONS;
    for (let i = 0; i < DIMENSIONS; i++) {
      vector[i] = (vector[i] ?? 0) + scale * (rows[offset + i] ?? 0);
    }
  }
  const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : null;
}
