import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../memory/stores.ts';
import { basicTokens } from './basic-tokens.ts';

const FOLDER = new URL('../../models/static-minilm-256/', import.meta.url);
const DIMENSIONS = 256;
/** Pieces of a text that count; the rest of it is not looked at. */
const MAX_PIECES = 512;
/** Longer words are hashes or noise: they have no piece. */
const MAX_WORD_CHARACTERS = 100;
/** Words whose pieces are kept: cutting one anew costs a few dozen look-ups. */
const MAX_CACHED_WORDS = 50_000;
/** Longer words are rare, and would make the cache large in bytes. */
const MAX_CACHED_WORD_UNITS = 32;
/** After so long, other work of the process gets its turn. */
const MAX_BLOCKING_MS = 10;

type Table = {
  readonly rowsOfPieces: ReadonlyMap<string, number>;
  /** Characters of the longest piece. */
  readonly longestPiece: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
};

/**
 * The built-in embedder: a table of vectors for WordPieces, summed and normalised. Offline, on the
 * CPU, without a dependency. Only the first 512 pieces of a text count; a text without a piece (blank,
 * or nothing but accents or controls) has no vector. Equal texts give equal vectors, alone or beside others.
 *
 * Costs about 20 ms once, at the first embedding, to read the table (7.9 MB); then about 25 µs for a
 * sentence of 100 characters and 0.3 ms for a passage of 1,200.
 *
 * Source: "Model2Vec", Minish Lab 2024, for the distillation; `models/README.md` for how this one was made.
 */
export function openStaticMiniLm(): Embedder {
  let opened: Table | null = null;
  const cache = new Map<string, readonly number[]>();
  return {
    model: 'static-minilm-256@1',
    dimensions: DIMENSIONS,
    async embed(texts) {
      opened ??= readTable();
      const table = opened;
      const vectors: (Float32Array | null)[] = [];
      let began = performance.now();
      for (const text of texts) {
        vectors.push(sum(toPieces(text, table, cache), table));
        if (performance.now() - began > MAX_BLOCKING_MS) {
          await setImmediate();
          began = performance.now();
        }
      }
      return vectors;
    },
  };
}

function readTable(): Table {
  const read = (name: string) => readFileSync(new URL(name, FOLDER));
  const bytes = read('embeddings.i8');
  const scales = new Float32Array(new Uint8Array(read('scales.f32')).buffer);
  const pieces = read('vocab.txt').toString('utf8').trimEnd().split('\n');
  if (pieces.length !== scales.length || bytes.length !== pieces.length * DIMENSIONS) {
    throw new Error(`The embedder's table in ${FOLDER.pathname} is not whole; install it again.`);
  }
  return {
    rowsOfPieces: new Map(pieces.map((piece, row) => [piece, row])),
    longestPiece: pieces.reduce((longest, { length }) => Math.max(longest, length), 0),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scales,
  };
}

/** The rows of a text's pieces, in order, at most MAX_PIECES. */
function toPieces(text: string, table: Table, cache: Map<string, readonly number[]>): number[] {
  const pieces: number[] = [];
  for (const word of basicTokens(text)) {
    pieces.push(...(cache.get(word) ?? cutAndKeep(word, table, cache)));
    if (pieces.length >= MAX_PIECES) return pieces.slice(0, MAX_PIECES);
  }
  return pieces;
}

function cutAndKeep(
  word: string,
  table: Table,
  cache: Map<string, readonly number[]>,
): readonly number[] {
  const pieces = cutWord(word, table);
  if (word.length <= MAX_CACHED_WORD_UNITS) {
    // Starting anew is cheaper than keeping an order of use, and no noise stays for ever.
    if (cache.size >= MAX_CACHED_WORDS) cache.clear();
    cache.set(word, pieces);
  }
  return pieces;
}

/** WordPiece: the longest known piece first, again and again; a word that cannot be cut whole has none. */
function cutWord(word: string, { rowsOfPieces, longestPiece }: Table): readonly number[] {
  if (word.length > 2 * MAX_WORD_CHARACTERS) return [];
  const characters = [...word];
  if (characters.length > MAX_WORD_CHARACTERS) return [];
  const pieces: number[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = Math.min(characters.length, start + longestPiece);
    let row: number | undefined;
    for (; end > start; end--) {
      row = rowsOfPieces.get((start === 0 ? '' : '##') + characters.slice(start, end).join(''));
      if (row !== undefined) break;
    }
    if (row === undefined) return [];
    pieces.push(row);
    start = end;
  }
  return pieces;
}

/** The unit vector of the sum; null where there is nothing to sum. */
function sum(pieces: readonly number[], { rows, scales }: Table): Float32Array | null {
  const vector = new Float32Array(DIMENSIONS);
  for (const piece of pieces) {
    const scale = scales[piece] ?? 0;
    const offset = piece * DIMENSIONS;
    for (let i = 0; i < DIMENSIONS; i++) {
      vector[i] = (vector[i] ?? 0) + scale * (rows[offset + i] ?? 0);
    }
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return null;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
