import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { JsonObject } from '../memory/attributes.ts';
import { EDGE_KINDS, type EdgeKind } from '../memory/edge.ts';
import { PAGE_KINDS, type PageKind, SENSITIVITIES, type Sensitivity } from '../memory/page.ts';
import { UnreadableFileError } from './errors.ts';
import { MAX_LINE_BYTES, type RawLine, splitLines } from './split-lines.ts';

/** Deepest nesting of a line: no deeper than attributes may be elsewhere; bounds the recursion on hostile ones. */
const MAX_JSON_DEPTH = 64;

/** A page as a line of a file says it. */
export type PageLine = {
  readonly type: 'page';
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly kind: PageKind;
  /** What the file calls it, where that is none of ours. */
  readonly otherKind: string | null;
  readonly tags: readonly string[];
  readonly attributes: JsonObject;
  readonly sensitivity: Sensitivity | null;
  readonly importance: number | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
};

/** An edge as a line of a file says it, between the keys of two pages. */
export type EdgeLine = {
  readonly type: 'edge';
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly note: string | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
};

/** A line that cannot be read, and why. */
export type FaultyLine = { readonly type: 'fault'; readonly reason: string };

/** What stands in line `number`, from 1; `bytes` of the file (unpacked) are read up to its end. */
export type NumberedLine = {
  readonly number: number;
  readonly bytes: number;
  readonly line: PageLine | EdgeLine | FaultyLine;
};

const text = z.string();
const instant = z.string().nullish();

const PageFields = z.object({
  type: z.literal('page'),
  key: text,
  title: text,
  body: text.nullish(),
  kind: text.nullish(),
  tags: z.array(text).nullish(),
  attributes: z.record(z.string(), z.json()).nullish(),
  sensitivity: z.enum(SENSITIVITIES).nullish(),
  importance: z.number().nullish(),
  at: instant,
  validFrom: instant,
  validTo: instant,
});

/** Fields without a place of their own must be JSON too: `1e999` is read as Infinity, which is none. */
const PageSchema = PageFields.catchall(z.json());

const EdgeSchema = z.object({
  type: z.literal('edge'),
  from: text,
  to: text,
  kind: text.transform((kind) => kind.toUpperCase()).pipe(z.enum(EDGE_KINDS)),
  note: text.nullish(),
  detail: text.nullish(),
  at: instant,
  validFrom: instant,
  validTo: instant,
});

const LineSchema = z.discriminatedUnion('type', [PageSchema, EdgeSchema]);

/**
 * Reads a file of pages and edges, one JSON object a line, packed with gzip when its name ends in
 * `.gz`. Streams: memory does not grow with the file. Blank lines are passed over; a line that
 * cannot be read is given as a fault and stops no other.
 *
 * A page's `at` is since when it is true. A `kind` that is none of ours makes a `NOTE` and is kept
 * as the attribute `kind`, as is every field that has no place of its own.
 *
 * @throws {UnreadableFileError} if the file cannot be opened, or breaks off while it is read
 */
export async function* readJsonLines(file: string): AsyncGenerator<NumberedLine> {
  let number = 0;
  for await (const raw of splitLines(readBytes(file))) {
    number += 1;
    // A file may begin with a byte order mark.
    const isBlank = raw.kind === 'TEXT' && trimMark(raw.text, number).trim() === '';
    if (!isBlank) yield { number, bytes: raw.end, line: parseLine(raw, number) };
  }
}

async function* readBytes(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file);
  try {
    // An error on either side ends both, and comes out of the reading; so the callback has no use.
    yield* file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source;
  } catch (error) {
    throw new UnreadableFileError(file, error);
  }
}

function trimMark(text: string, number: number): string {
  return number === 1 ? text.replace(/^\uFEFF/u, '') : text;
}

function parseLine(raw: RawLine, number: number): PageLine | EdgeLine | FaultyLine {
  if (raw.kind === 'TOO_LONG') {
    const reason = `expected at most ${MAX_LINE_BYTES} bytes, but got ${raw.bytes}`;
    return { type: 'fault', reason: `line: ${reason}` };
  }
  if (raw.kind === 'NO_UTF8') {
    return { type: 'fault', reason: 'line: expected UTF-8, but got other bytes' };
  }
  let json: unknown;
  try {
    json = JSON.parse(trimMark(raw.text, number));
  } catch {
    return { type: 'fault', reason: 'line: expected a JSON object, but the line is no JSON' };
  }
  if (isDeep(json)) {
    return { type: 'fault', reason: `line: expected JSON nested at most ${MAX_JSON_DEPTH} deep` };
  }
  const parsed = LineSchema.safeParse(json);
  if (!parsed.success) return { type: 'fault', reason: describe(parsed.error.issues[0]) };
  return parsed.data.type === 'page' ? toPageLine(parsed.data) : toEdgeLine(parsed.data);
}

function isDeep(json: unknown, depth = 1): boolean {
  if (json === null || typeof json !== 'object') return false;
  return depth > MAX_JSON_DEPTH || Object.values(json).some((inner) => isDeep(inner, depth + 1));
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? 'line' : field}: ${issue?.message ?? 'not a page or an edge'}`;
}

function toPageLine(page: z.infer<typeof PageSchema>): PageLine {
  const { type, key, title, body, kind, tags, attributes, sensitivity, importance, ...others } =
    page;
  const { at, validFrom, validTo, ...unplaced } = others;
  const ownKind = PAGE_KINDS.find((known) => known === kind?.toUpperCase());
  return {
    type,
    path: key,
    title,
    body: body ?? '',
    kind: ownKind ?? 'NOTE',
    otherKind: ownKind === undefined ? (kind ?? null) : null,
    tags: tags ?? [],
    attributes: {
      ...(kind != null && ownKind === undefined && { kind }),
      ...unplaced,
      ...attributes,
    },
    sensitivity: sensitivity ?? null,
    importance: importance ?? null,
    validFrom: validFrom ?? at ?? null,
    validTo: validTo ?? null,
  };
}

function toEdgeLine(edge: z.infer<typeof EdgeSchema>): EdgeLine {
  return {
    type: 'edge',
    from: edge.from,
    to: edge.to,
    kind: edge.kind,
    note: edge.note ?? edge.detail ?? null,
    validFrom: edge.validFrom ?? edge.at ?? null,
    validTo: edge.validTo ?? null,
  };
}
