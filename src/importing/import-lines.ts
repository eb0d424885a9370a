import { createHash } from 'node:crypto';
import type { Caller } from '../memory/caller.ts';
import { InvalidInputError, MemoryError } from '../memory/errors.ts';
import { linkWhenPresent } from '../memory/link-pages.ts';
import type { WaitingAssertion, WriteOutcome, WrittenPage } from '../memory/memory-writer.ts';
import type { Page, Project, ProjectId } from '../memory/page.ts';
import { parsePagePath } from '../memory/page-path.ts';
import { type PageInput, parsePageInput, parseValidTime } from '../memory/parse-page-input.ts';
import type { Stores } from '../memory/stores.ts';
import { writePages } from '../memory/write-pages.ts';
import type { EdgeLine, NumberedLine, PageLine } from './jsonl.ts';

/** Pages of one transaction: large enough to share its cost, small enough to lose little. */
const PAGES_PER_BATCH = 100;
const EDGES_PER_BATCH = 1_000;
/** Longest reason of a fault, UTF-16 units: it may hold names of fields, which are text from outside. */
const MAX_REASON = 300;

export type Fault = { readonly line: number; readonly reason: string };

export type ImportCounts = {
  readonly lines: number;
  readonly pages: { readonly [Outcome in WriteOutcome]: number };
  readonly edges: { readonly linked: number; readonly existing: number; readonly waiting: number };
  readonly faults: number;
};

type Numbered<Line> = { readonly number: number; readonly line: Line };

/**
 * Writes lines of a file in batches, each in one transaction. A line that cannot be written is
 * reported and stops no other. Every batch of pages has a key made of its content, and of how often
 * that content came before in the file, so the same file can be given again after a break: what is
 * there already is not written twice, and counts as unchanged.
 *
 * Memory is bounded by one batch and a digest for each.
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
  let count = 0;
  let faults = 0;
  const fault = (number: number, reason: string) => {
    faults += 1;
    on.fault({ line: number, reason: toOneLine(reason) });
  };

  const keyOf = createBatchKeys();
  let pageBatch = new Map<string, Numbered<PageInput>>();
  let edgeBatch: Numbered<WaitingAssertion>[] = [];

  const flushPages = async () => {
    const batch = [...pageBatch.values()];
    pageBatch = new Map();
    await inHalves(batch, fault, async (part) => {
      const inputs = part.map(({ line }) => line);
      const key = keyOf(inputs);
      const before = await stores.pages.findManyByKey(caller.view, inputs);
      const { result } = await writePages(
        stores,
        caller,
        { pages: inputs, idempotencyKey: key, evidenceId: key },
        { projects, hintsEnabled: () => false, fieldOf: () => '' },
      );
      for (const [index, written] of result.entries()) {
        pages[toOutcome(written, before[index] ?? null)] += 1;
      }
    });
  };
  const flushEdges = async () => {
    const batch = edgeBatch;
    edgeBatch = [];
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

  for await (const { number, bytes, line } of lines) {
    count += 1;
    on.progress(bytes);
    try {
      if (line.type === 'fault') {
        fault(number, line.reason);
      } else if (line.type === 'page') {
        const given = toPageInput(line, project.id);
        const rules = { field: '', clearance: caller.view.clearance, hintsEnabled: () => false };
        const { path } = parsePageInput(given, rules);
        const page = { ...given, path };
        // The same page twice in one file is two writes, one after the other.
        if (pageBatch.has(path)) await flushPages();
        pageBatch.set(path, { number, line: page });
        if (pageBatch.size >= PAGES_PER_BATCH) await flushPages();
      } else {
        edgeBatch.push({ number, line: toAssertion(line, project.name) });
        if (edgeBatch.length >= EDGES_PER_BATCH) {
          await flushPages();
          await flushEdges();
        }
      }
    } catch (error) {
      if (!(error instanceof MemoryError) || error.retryable) throw error;
      fault(number, reasonOf(error));
    }
  }
  await flushPages();
  await flushEdges();
  return { lines: count, pages, edges, faults };
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
function createBatchKeys(): (pages: readonly PageInput[]) => string {
  const seen = new Map<string, number>();
  return (pages) => {
    const digest = createHash('sha256').update(JSON.stringify(pages)).digest('hex');
    const before = seen.get(digest) ?? 0;
    seen.set(digest, before + 1);
    return before === 0 ? `import:${digest}` : `import:${digest}:${before}`;
  };
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

function toPageInput({ type: _type, ...page }: PageLine, projectId: ProjectId): PageInput {
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
