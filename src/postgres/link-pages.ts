import { v7 as newId } from 'uuid';
import type { Edge, EdgeKind } from '../memory/edge.ts';
import { NotFoundError } from '../memory/errors.ts';
import { FOREVER } from '../memory/instant.ts';
import type {
  Committed,
  EdgeAssertion,
  Idempotency,
  WaitingAssertion,
} from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import { toValidTime } from '../memory/version-rules.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { edgeChanges, keyOf, type LedgerEdge, upsertEdges, withdrawEdges } from './edge-ledger.ts';
import { EDGE_COLUMNS, type EdgeRow, toEdge } from './edge-rows.ts';
import { once } from './idempotency.ts';
import { appendChanges } from './outbox.ts';
import { settleSupersession } from './settle-supersession.ts';
import { takeArrivals } from './take-arrivals.ts';
import { waitWithAssertions } from './waiting-edges.ts';
import { writeTransaction } from './write-transaction.ts';

type Ends = { readonly kind: EdgeKind; readonly fromId: PageId; readonly toId: PageId };

/** Asserts edges in one transaction. @throws {NotFoundError} naming the end that the view does not see */
export async function linkPages(
  database: TenantDatabase,
  view: View,
  edges: readonly EdgeAssertion[],
  idempotency: Idempotency | null,
  now: number,
): Promise<Committed<readonly { edge: Edge; created: boolean }[]>> {
  return writeTransaction(database, view.tenant, (connection) =>
    once(connection, { tenant: view.tenant, idempotency, now, toPageIds }, async () => {
      await requireEnds(connection, view, edges);
      const distinct = mergeRepeats(edges, keyOf);
      const changed = await upsertEdges(
        connection,
        view.tenant,
        distinct.map(({ validFrom, validTo, ...edge }) => ({
          ...edge,
          id: newId(),
          ...toValidTime(validFrom, validTo),
        })),
        'ASSERTED',
        now,
      );
      // One that was there and learns neither note nor time is the same edge as before: nothing to tell.
      const noted = new Set(distinct.filter(({ note }) => note !== null).map(keyOf));
      const told = changed.filter(
        (edge) => edge.created || edge.endedId !== null || noted.has(keyOf(edge)),
      );
      const graphSequence = await tell(connection, view, told, now);
      const found = await findEdges(connection, view.tenant, changed);
      const created = new Set(changed.filter((edge) => edge.created).map(keyOf));
      return {
        result: edges.flatMap((edge) => {
          const key = keyOf(edge);
          const written = found.get(key);
          // Of an edge that the call names twice, the first made it.
          return written ? [{ edge: written, created: created.delete(key) }] : [];
        }),
        graphSequence,
      };
    }),
  );
}

/** Asserts edges by natural key; those with an end that is missing or hidden wait for it. */
export async function linkWhenPresent(
  database: TenantDatabase,
  view: View,
  edges: readonly WaitingAssertion[],
  now: number,
): Promise<Committed<{ linked: number; existing: number; waiting: number }>> {
  return writeTransaction(database, view.tenant, async (connection) => {
    const distinct = mergeRepeats(edges, naturalKeyOf);
    await waitWithAssertions(connection, view.tenant, distinct);
    const ends = await findEnds(connection, view, distinct);
    const own = new Set(distinct.map(naturalKeyOf));
    const changed = await takeArrivals(connection, view, ends, now, (edge) =>
      own.has(naturalKeyOf(edge)),
    );
    // What others said of the same pages arrives with them, and is told to the graph alone.
    const arrived = Map.groupBy(
      changed.filter(({ isOwn }) => isOwn),
      keyOf,
    );
    const made = [...arrived.values()].filter((rows) => rows.some(({ created }) => created));
    return {
      result: {
        linked: made.length,
        existing: arrived.size - made.length,
        waiting: distinct.length - arrived.size,
      },
      graphSequence: await tell(connection, view, changed, now),
    };
  });
}

/** Retracts assertions; null in the place of each edge that nobody asserted or that the view does not see. */
export async function unlinkPages(
  database: TenantDatabase,
  view: View,
  edges: readonly Ends[],
  now: number,
): Promise<Committed<readonly (Edge | null)[]>> {
  return writeTransaction(database, view.tenant, async (connection) => {
    const active = await connection.query<{ id: string }>({
      name: 'edge_find_active',
      text: `
        select e.id
        from unnest($4::uuid[], $5::uuid[], $6::text[]) as l(from_id, to_id, kind)
        join edge e on e.tenant = $1 and e.from_id = l.from_id and e.to_id = l.to_id
          and e.kind = l.kind and e.recorded_to = ${FOREVER} and e.asserted
        join page f on f.tenant = $1 and f.id = e.from_id
        join page t on t.tenant = $1 and t.id = e.to_id
        where f.project_id = any($2::uuid[]) and f.sensitivity <= $3
          and t.project_id = any($2::uuid[]) and t.sensitivity <= $3
      `,
      values: [
        view.tenant,
        view.projectIds,
        view.clearance,
        edges.map(({ fromId }) => fromId),
        edges.map(({ toId }) => toId),
        edges.map(({ kind }) => kind),
      ],
    });
    const changed = await withdrawEdges(
      connection,
      view.tenant,
      active.map(({ id }) => id),
      'ASSERTED',
      now,
    );
    const graphSequence = await tell(connection, view, changed, now);
    const found = await findEdges(connection, view.tenant, changed);
    return { result: edges.map((edge) => found.get(keyOf(edge)) ?? null), graphSequence };
  });
}

async function tell(
  connection: Connection,
  view: View,
  changed: readonly LedgerEdge[],
  now: number,
): Promise<number> {
  const turned = await settleSupersession(connection, view, changed);
  return appendChanges(connection, view.tenant, [...turned, ...edgeChanges(changed)], now);
}

async function requireEnds(
  connection: Connection,
  view: View,
  edges: readonly Ends[],
): Promise<void> {
  const asked = [...new Set(edges.flatMap(({ fromId, toId }) => [fromId, toId]))];
  const rows = await connection.query<{ id: PageId }>({
    name: 'page_list_ends',
    text: `
      select id from page
      where tenant = $1 and id = any($4::uuid[])
        and project_id = any($2::uuid[]) and sensitivity <= $3
      order by id
      for key share
    `,
    values: [view.tenant, view.projectIds, view.clearance, asked],
  });
  const seen = new Set(rows.map(({ id }) => id));
  for (const [index, { fromId, toId }] of edges.entries()) {
    if (!seen.has(fromId)) throw new NotFoundError(`edges.${index}.from`, 'a page');
    if (!seen.has(toId)) throw new NotFoundError(`edges.${index}.to`, 'a page');
  }
}

async function findEnds(
  connection: Connection,
  view: View,
  edges: readonly WaitingAssertion[],
): Promise<PageId[]> {
  const rows = await connection.query<{ id: PageId }>({
    name: 'page_list_by_name_and_path',
    text: `
      select p.id
      from unnest($3::text[], $4::text[]) as l(project, path)
      join project on project.tenant = $1 and project.name = l.project
      join page p on p.tenant = $1 and p.project_id = project.id and p.path = l.path
      where p.project_id = any($2::uuid[])
    `,
    values: [
      view.tenant,
      view.projectIds,
      edges.map(({ to }) => to.project),
      edges.map(({ to }) => to.path),
    ],
  });
  return rows.map(({ id }) => id);
}

async function findEdges(
  connection: Connection,
  tenant: string,
  edges: readonly LedgerEdge[],
): Promise<ReadonlyMap<string, Edge>> {
  const rows = await connection.query<EdgeRow>({
    name: 'edge_find_many_of_write',
    text: `select ${EDGE_COLUMNS} from edge e where e.tenant = $1 and e.id = any($2::uuid[])`,
    values: [tenant, edges.map(({ id }) => id)],
  });
  return new Map(rows.map(toEdge).map((edge) => [keyOf(edge), edge]));
}

/** Each edge once, with all that its repeats say of it; of two notes or valid times the later counts. */
function mergeRepeats<Said extends Pick<EdgeAssertion, 'note' | 'validFrom' | 'validTo'>>(
  edges: readonly Said[],
  toKey: (edge: Said) => string,
): readonly Said[] {
  const merged = new Map<string, Said>();
  for (const edge of edges) {
    const { note = null, validFrom = null, validTo = null } = merged.get(toKey(edge)) ?? {};
    const isTimed = edge.validFrom !== null || edge.validTo !== null;
    const time = isTimed ? {} : { validFrom, validTo };
    merged.set(toKey(edge), { ...edge, ...time, note: edge.note ?? note });
  }
  return [...merged.values()];
}

function toPageIds(linked: readonly { readonly edge: Ends }[]): readonly PageId[] {
  return linked.flatMap(({ edge: { fromId, toId } }) => [fromId, toId]);
}

/** The key that one waiting edge has. */
function naturalKeyOf({ kind, from, to }: Pick<WaitingAssertion, 'kind' | 'from' | 'to'>): string {
  return JSON.stringify([kind, from.project, from.path, to.project, to.path]);
}
