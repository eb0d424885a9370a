import { readFileSync } from 'node:fs';
import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { EDGE_KINDS, RESOLUTIONS } from '../../src/memory/edge.ts';
import { PAGE_KINDS } from '../../src/memory/page.ts';

const EDGE = z.strictObject({
  kind: z.enum(EDGE_KINDS),
  /** Key of the memory that it leads to. */
  to: z.string(),
  resolution: z.enum(RESOLUTIONS).optional(),
});

const MEMORY = z.strictObject({
  key: z.string().min(1),
  body: z.string().min(1),
  title: z.string().min(1).optional(),
  hints: z.array(z.string()).optional(),
  session: z.string().optional(),
  /** RFC 3339 with an offset. */
  at: z.iso.datetime({ offset: true }).optional(),
  kind: z.enum(PAGE_KINDS).optional(),
  edges: z.array(EDGE).optional(),
});

const QUERY = z.strictObject({
  q: z.string().min(1),
  /** Keys of the memories that answer it. */
  relevant: z.array(z.string()).min(1),
  category: z.string().optional(),
  typeHints: z.array(z.enum(PAGE_KINDS)).optional(),
});

const RECALL_SET = z.strictObject({
  memories: z.array(MEMORY).min(1),
  queries: z.array(QUERY).min(1),
});

export type RecallSet = z.infer<typeof RECALL_SET>;
export type Memory = RecallSet['memories'][number];
export type Query = RecallSet['queries'][number];

/** A data file that can't be measured with. Its message begins with the place: `file:line field`. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** @throws {DataFileError} naming the line and the field of the first fault */
export function readRecallSet(file: string): RecallSet {
  return parseRecallSet(readFileSync(file, 'utf8'), file);
}

/**
 * Memories and queries of one conversation or one topic.
 *
 * @param file  its name, for errors
 * @throws {DataFileError} naming the line and the field of the first fault
 */
export function parseRecallSet(text: string, file: string): RecallSet {
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { allowTrailingComma: false, disallowComments: true });
  const fail = (offset: number, field: string, what: string): never => {
    const line = text.slice(0, offset).split('\n').length;
    throw new DataFileError(`${file}:${line} ${field}: ${what}`);
  };

  const [fault] = faults;
  if (tree === undefined || fault !== undefined) {
    return fail(fault?.offset ?? 0, '(root)', fault ? printParseErrorCode(fault.error) : 'no JSON');
  }
  const at = (path: readonly (string | number)[]) =>
    findNodeAtLocation(tree, [...path])?.offset ?? tree.offset;
  const parsed = RECALL_SET.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? {
      path: [] as PropertyKey[],
      message: 'no data set',
    };
    const place = path.flatMap((step) => (typeof step === 'symbol' ? [] : [step]));
    return fail(at(nearest(place, tree)), place.join('.') || '(root)', message);
  }

  const keys = new Map<string, number>();
  for (const [index, { key }] of parsed.data.memories.entries()) {
    if (keys.has(key)) {
      fail(at(['memories', index, 'key']), `memories.${index}.key`, `"${key}" comes twice`);
    }
    keys.set(key, index);
  }
  const known = (key: string, path: readonly (string | number)[]) => {
    if (!keys.has(key))
      fail(at(path), path.join('.'), `expected the key of a memory, got "${key}"`);
  };
  for (const [index, { edges = [] }] of parsed.data.memories.entries()) {
    for (const [place, { to }] of edges.entries()) {
      known(to, ['memories', index, 'edges', place, 'to']);
    }
  }
  for (const [index, { relevant }] of parsed.data.queries.entries()) {
    for (const [place, key] of relevant.entries()) {
      known(key, ['queries', index, 'relevant', place]);
    }
  }
  return parsed.data;
}

/** The longest beginning of a path that the text has: a field that is missing is told by what lacks it. */
function nearest(
  path: readonly (string | number)[],
  tree: NonNullable<ReturnType<typeof parseTree>>,
): readonly (string | number)[] {
  const found = path.map((_, index) => path.slice(0, path.length - index));
  return found.find((each) => findNodeAtLocation(tree, [...each]) !== undefined) ?? [];
}
