import { createHash } from 'node:crypto';
import type { Caller } from '../memory/caller.ts';
import { InvalidInputError, MemoryError } from '../memory/errors.ts';
import { linkWhenPresent } from '../memory/link-pages.ts';
import type { WaitingAssertion, WriteOutcome, WrittenPage } from '../memory/memory-writer.ts';
import type { Page, Project, ProjectId } from '../memory/page.ts';
import { parsePagePath } from '../memory/page-path.ts';
import {
  type PageInput,
  type ParsedPage,
  parsePageInput,
  parseValidTime,
} from '../memory/parse-page-input.ts';
import type { Stores } from '../memory/stores.ts';
import { AnswerPurgedError } from '../memory/write-conflicts.ts';
import { writePages } from '../memory/write-pages.ts';
import type { EdgeLine, NumberedLine, PageLine } from './jsonl.ts';
import { countOtherKinds, type OtherKind } from './other-kinds.ts';

/** Pages of one transaction: large enough to share its cost, small enough to lose little. */
const PAGES_PER_BATCH = 100;
const EDGES_PER_BATCH = 1_000;
/** Of the file; a longer line is a batch of its own. A hundred bodies of 1 MiB would take a gigabyte. */
const BYTES_PER_BATCH = 4 * 1024 * 1024;
/** Longest reason of a fault, UTF-16 units: it may hold names of fields, which are text from outside. */
const MAX_REASON = 300;

export type Fault = { readonly line: number; readonly reason: string };

export type ImportCounts = {
  readonly lines: number;
  readonly pages: { readonly [Outcome in WriteOutcome]: number };
  readonly edges: { readonly linked: number; readonly existing: number; readonly waiting: number };
  /** Pages that became a `NOTE`, with their kind as an attribute; the kinds in the order of their first lines. */
  readonly otherKinds: { readonly pages: number; readonly kinds: readonly OtherKind[] };
  readonly faults: number;
};

type Numbered<Line> = { readonly number: number; readonly line: Line };

/** A page with a digest of what will be stored of it. */
type DigestedPage = PageInput & { readonly sha256: string };

/**
 * Writes lines of a file in batches, each in one transaction. A line that cannot be written is
 * reported and stops no other. Every batch of pages has a key made of its content, and of how often
 * that content came before in the file, so the same file can be given again after a break: what is
 * there already is not written twice, and counts as unchanged.
 *
 * Memory is bounded by one batch and a digest for each. Digests are of what is stored: a secret that
 * is redacted could be guessed from that of a line.
 *
 * @param onFault     is told each line that did not go in
 * @param onProgress  is told how many bytes of the file are done
 */
export async function importLines(
  stores: Stores,
  caller: Caller,
  project: Project,
  lines: AsyncIterable<NumberedLine>,
  on: {
    readonly fault: (fault: Fault) => void;
    readonly progress: (bytes: number) => void;
  },
): Promise<ImportCounts> {
  const projects = new Map<ProjectId, Project>([[project.id, project]]);
  const pages = { CREATED: 0, REVISED: 0, RECONSOLIDATED: 0 };
  const edges = { linked: 0, existing: 0, waiting: 0 };
  const otherKinds = countOtherKinds();
  let count = 0;
  let faults = 0;
  const fault = (number: number, reason: string) => {
    faults += 1;
    on.fault({ line: number, reason: toOneLine(reason) });
  };

  const keyOf = createBatchKeys();
  let pageBatch = new Map<string, Numbered<DigestedPage>>();
  let edgeBatch: Numbered<WaitingAssertion>[] = [];
  let pageBytes = 0;
  let edgeBytes = 0;

  const flushPages = async () => {
    const batch = [...pageBatch.values()];
    pageBatch = new Map();
    pageBytes = 0;
    await inHalves(batch, fault, async (part) => {
      const pagesOfPart = part.map(({ line: { sha256: _sha256, ...page } }) => page);
      const key = keyOf(part.map(({ line }) => line.sha256));
      const before = await stores.pages.findManyByKey(caller.view, pagesOfPart);
      const { result } = await writeAlsoPurged(key, (own) =>
        writePages(
          stores,
          caller,
          { pages: pagesOfPart, idempotencyKey: own, evidenceId: own },
          { projects, hintsEnabled: () => false, fieldOf: () => '' },
        ),
      );
      for (const [index, written] of result.entries()) {
        pages[toOutcome(written, before[index] ?? null)] += 1;
      }
    });
  };
  const flushEdges = async () => {
    const batch = edgeBatch;
    edgeBatch = [];
    edgeBytes = 0;
    await inHalves(batch, fault, async (part) => {
      const result = await linkWhenPresent(
        stores,
        caller,
        part.map(({ line }) => line),
      );
      edges.linked += result.linked;
      edges.existing += result.existing;
      edges.waiting += result.waiting;
    });
  };

  let end = 0;
  for await (const { number, bytes, line } of lines) {
    count += 1;
    on.progress(bytes);
    const size = bytes - end;
    end = bytes;
    try {
      if (line.type === 'fault') {
        fault(number, line.reason);
      } else if (line.type === 'page') {
        const given = toPageInput(line, project.id);
        const rules = {
          field: '',
          clearance: caller.view.clearance,
          hintsEnabled: () => false,
          redactor: stores.redactor,
        };
        const parsed = parsePageInput(given, rules);
        const { path } = parsed;
        const page = { ...given, path, sha256: digestOf(parsed) };
        if (line.otherKind !== null) otherKinds.add(toOneLine(line.otherKind), number);
        // The same page twice in one file is two writes, one after the other.
        if (pageBatch.has(path) || pageBytes + size > BYTES_PER_BATCH) await flushPages();
        pageBatch.set(path, { number, line: page });
        pageBytes += size;
        if (pageBatch.size >= PAGES_PER_BATCH) await flushPages();
      } else {
        const assertion = toAssertion(line, project.name);
        if (edgeBatch.length >= EDGES_PER_BATCH || edgeBytes + size > BYTES_PER_BATCH) {
          await flushPages();
          await flushEdges();
        }
        edgeBatch.push({ number, line: assertion });
        edgeBytes += size;
      }
    } catch (error) {
      if (!(error instanceof MemoryError) || error.retryable) throw error;
      fault(number, reasonOf(error));
    }
  }
  await flushPages();
  await flushEdges();
  return { lines: count, pages, edges, otherKinds: otherKinds.counts(), faults };
}

/** Does work on a batch; where it is refused, on its halves, until the lines that are at fault stand alone. */
async function inHalves<Line>(
  batch: readonly Numbered<Line>[],
  fault: (number: number, reason: string) => void,
  work: (part: readonly Numbered<Line>[]) => Promise<void>,
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  try {
    await work(batch);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.retryable) throw error;
    if (batch.length === 1) {
      fault(first.number, reasonOf(error));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await inHalves(batch.slice(0, middle), fault, work);
    await inHalves(batch.slice(middle), fault, work);
  }
}

/** A key of its own for every batch of a file, the same ones whenever the file is read again. */
function createBatchKeys(): (digests: readonly string[]) => string {
  const seen = new Map<string, number>();
  return (digests) => {
    const digest = digestOf(digests);
    const before = seen.get(digest) ?? 0;
    seen.set(digest, before + 1);
    return before === 0 ? `import:${digest}` : `import:${digest}:${before}`;
  };
}

function digestOf(content: ParsedPage | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** A file that is given again after a purge asks for its page anew, under the next key of the batch. */
async function writeAlsoPurged<T>(key: string, write: (key: string) => Promise<T>): Promise<T> {
  for (let purges = 0; ; purges += 1) {
    try {
      return await write(purges === 0 ? key : `${key}+${purges}`);
    } catch (error) {
      if (!(error instanceof AnswerPurgedError)) throw error;
    }
  }
}

/** A batch that went in before gets its first answer again, which tells of versions that are there. */
function toOutcome({ version, outcome }: WrittenPage, before: Page | null): WriteOutcome {
  return before !== null && version <= before.version ? 'RECONSOLIDATED' : outcome;
}

/** Fields by their names in the file; the place in a batch says nothing there. */
function reasonOf(error: MemoryError): string {
  if (!(error instanceof InvalidInputError)) return error.message;
  const field = error.field.replace(/^edges\.\d+\./u, '').replace(/^path$/u, 'key');
  return `${field}: expected ${error.expected}, but got ${error.received}.`;
}

function toOneLine(reason: string): string {
  const line = reason.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON).toWellFormed()}…` : line;
}

function toPageInput(
  { type: _type, otherKind: _kind, ...page }: PageLine,
  projectId: ProjectId,
): PageInput {
  return { ...page, projectId };
}

/** Keys are paths; one that is no legal path could never be met. @throws {InvalidInputError} */
function toAssertion(line: EdgeLine, project: string): WaitingAssertion {
  const { validFrom, validTo } = parseValidTime(line, '');
  return {
    kind: line.kind,
    from: { project, path: parsePagePath(line.from, 'from') },
    to: { project, path: parsePagePath(line.to, 'to') },
    note: line.note,
    validFrom,
    validTo,
  };
}
