import { createHash } from 'node:crypto';
import { EDGE_KINDS, type EdgeKind } from './edge.ts';
import type {
  ChangeLog,
  GraphRebuilder,
  GraphRecord,
  GraphSlice,
  GraphWriter,
  ProjectedGraph,
} from './graph-projection.ts';
import type { PageId } from './page.ts';

export type VerifySources = {
  readonly record: GraphRecord;
  readonly changes: Pick<ChangeLog, 'findNewest'>;
  readonly projected: Pick<ProjectedGraph, 'findSequence'>;
  readonly graph: Pick<GraphRebuilder, 'readSlice'>;
  readonly watermarks: Pick<GraphWriter, 'listWatermarks'>;
};

/** What is compared: pages, and edges of each kind. */
export type Compared = 'PAGE' | EdgeKind;

export type Difference = {
  readonly tenant: string;
  readonly what: Compared;
  readonly id: string;
  /** `MISSING`: only the ledger has it; `EXTRA`: only the graph; `DIFFERENT`: they say different things. */
  readonly fault: 'MISSING' | 'EXTRA' | 'DIFFERENT';
};

/** Count and checksum of one thing on one side. Checksums do not depend on the order. */
export type Sum = { readonly count: number; readonly checksum: string };

export type Verified = {
  readonly tenant: string;
  readonly sums: readonly { readonly what: Compared; readonly ledger: Sum; readonly graph: Sum }[];
  /** The first `MAX_DIFFERENCES`; empty when both sides are equal. */
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
};

/** Differences that are named; the rest is counted. */
export const MAX_DIFFERENCES = 100;
/** Pages compared at once, with the edges that come from them. */
const PAGES_AT_ONCE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** A slice that differs while writes go on is read again, after the projection has caught up. */
const TRIES = 5;
const CATCH_UP_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Every tenant that either side has, by name: one of the graph alone may be left from another ledger. */
export async function listVerifiedTenants({
  record,
  watermarks,
}: VerifySources): Promise<readonly string[]> {
  const [recorded, projected] = await Promise.all([
    record.listTenants(),
    watermarks.listWatermarks(),
  ]);
  return [...new Set([...recorded, ...projected.map(({ tenant }) => tenant)])].sort();
}

/**
 * Compares the graph of one tenant with the ledger, page by page and edge by edge. Reads and writes
 * may go on: what differs only because it is still on its way is looked at again.
 *
 * @param progress  called with the number of pages compared so far
 */
export async function verifyGraph(
  sources: VerifySources,
  tenant: string,
  progress: (pages: number) => void = () => {},
): Promise<Verified> {
  const sums = new Map(
    (['PAGE', ...EDGE_KINDS] as const).map((what) => [
      what,
      { ledger: new Checksum(), graph: new Checksum() },
    ]),
  );
  const differences: Difference[] = [];
  let differenceCount = 0;
  let pages = 0;
  let after = FIRST_ID;
  while (after !== LAST_ID) {
    const next = await sources.record.listPages(tenant, after, PAGES_AT_ONCE);
    const until = next.length < PAGES_AT_ONCE ? LAST_ID : (next.at(-1)?.id ?? LAST_ID);
    const found = await compareSlice(sources, tenant, after, until);
    for (const { what, id, ledger, graph } of found) {
      const sum = sums.get(what);
      if (ledger !== null) sum?.ledger.add(ledger);
      if (graph !== null) sum?.graph.add(graph);
      if (ledger === graph) continue;
      differenceCount += 1;
      const fault = graph === null ? 'MISSING' : ledger === null ? 'EXTRA' : 'DIFFERENT';
      if (differences.length < MAX_DIFFERENCES) differences.push({ tenant, what, id, fault });
    }
    pages += next.length;
    progress(pages);
    after = until;
  }
  return {
    tenant,
    sums: [...sums].map(([what, { ledger, graph }]) => ({
      what,
      ledger: ledger.sum(),
      graph: graph.sum(),
    })),
    differences,
    differenceCount,
  };
}

/** One page or edge, as a line of each side; null where a side lacks it. */
type Pair = {
  readonly what: Compared;
  readonly id: string;
  readonly ledger: string | null;
  readonly graph: string | null;
};

async function compareSlice(
  sources: VerifySources,
  tenant: string,
  after: PageId,
  until: PageId,
): Promise<readonly Pair[]> {
  for (let tries = 1; ; tries++) {
    const [ledger, graph] = await Promise.all([
      sources.record.readSlice(tenant, after, until),
      sources.graph.readSlice(tenant, after, until),
    ]);
    const pairs = toPairs(toLines(ledger), toLines(graph));
    if (tries === TRIES || pairs.every((pair) => pair.ledger === pair.graph)) return pairs;
    await catchUp(sources, tenant);
  }
}

/** Waits, for a while, until what is recorded now is projected. */
async function catchUp({ changes, projected }: VerifySources, tenant: string): Promise<void> {
  const newest = await changes.findNewest(tenant);
  const end = performance.now() + CATCH_UP_MS;
  while ((await projected.findSequence(tenant)) < newest && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

type Lines = ReadonlyMap<string, { readonly what: Compared; readonly text: string }>;

function toLines({ pages, edges }: GraphSlice): Lines {
  const lines = new Map<string, { what: Compared; text: string }>();
  for (const page of pages) lines.set(page.id, { what: 'PAGE', text: toText(page) });
  for (const edge of edges) lines.set(edge.id, { what: edge.kind, text: toText(edge) });
  return lines;
}

/** The same text for the same content, whatever the order of the fields. */
function toText(value: object): string {
  const fields = Object.entries(value).filter(([, each]) => each !== null);
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toPairs(ledger: Lines, graph: Lines): readonly Pair[] {
  return [...new Set([...ledger.keys(), ...graph.keys()])].sort().flatMap((id): Pair[] => {
    const one = ledger.get(id);
    const other = graph.get(id);
    const what = one?.what ?? other?.what;
    if (what === undefined) return [];
    return [{ what, id, ledger: one?.text ?? null, graph: other?.text ?? null }];
  });
}

/** Adds up SHA-256 of each line, modulo 2^256, so that the order does not count. */
class Checksum {
  #count = 0;
  #total = 0n;

  add(text: string): void {
    this.#count += 1;
    const hash = createHash('sha256').update(text).digest('hex');
    this.#total = BigInt.asUintN(256, this.#total + BigInt(`0x${hash}`));
  }

  sum(): Sum {
    return { count: this.#count, checksum: this.#total.toString(16).padStart(64, '0') };
  }
}
