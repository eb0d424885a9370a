import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { JsonObject } from '../memory/attributes.ts';
import { EDGE_KINDS, type EdgeKind } from '../memory/edge.ts';
import { PAGE_KINDS, type PageKind, SENSITIVITIES, type Sensitivity } from '../memory/page.ts';

/** A page as a line of a file says it. */
export type PageLine = {
  readonly type: 'page';
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly kind: PageKind;
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

const PageSchema = z.looseObject({
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
 */
export async function* readJsonLines(file: string): AsyncGenerator<NumberedLine> {
  const source = createReadStream(file);
  const unpacked = source.pipe(file.endsWith('.gz') ? createGunzip() : new PassThrough());
  // pipe() carries no errors along: a file that is not there must fail the reading.
  source.on('error', (error) => unpacked.destroy(error));

  let number = 0;
  let bytes = 0;
  for await (const raw of linesOf(unpacked)) {
    number += 1;
    bytes += Buffer.byteLength(raw) + 1;
    // A file may begin with a byte order mark.
    const content = number === 1 ? raw.replace(/^\uFEFF/u, '') : raw;
    if (content.trim() === '') continue;
    yield { number, bytes, line: parseLine(content) };
  }
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const failed = new Promise<never>((_resolve, reject) => input.once('error', reject));
  failed.catch(() => {});
  const iterator = lines[Symbol.asyncIterator]();
  while (true) {
    const next = await Promise.race([iterator.next(), failed]);
    if (next.done) return;
    yield next.value;
  }
}

function parseLine(content: string): PageLine | EdgeLine | FaultyLine {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return { type: 'fault', reason: 'expected a JSON object, but the line is no JSON' };
  }
  const parsed = LineSchema.safeParse(json);
  if (!parsed.success) return { type: 'fault', reason: describe(parsed.error.issues[0]) };
  return parsed.data.type === 'page' ? toPageLine(parsed.data) : toEdgeLine(parsed.data);
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
    tags: tags ?? [],
    attributes: {
      ...(kind != null && ownKind === undefined && { kind }),
      ...z.record(z.string(), z.json()).parse(unplaced),
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
