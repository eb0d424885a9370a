import type {
  ChangeFeed,
  ChangeList,
  ChangeQuery,
  LoggedEdgeChange,
  LoggedPageChange,
} from '../memory/change-feed.ts';
import type { PageId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import { createChangeWatches } from './change-watches.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { EDGE_COLUMNS, type EdgeRow, toEdge } from './edge-rows.ts';
import { findNewest } from './outbox.ts';
import { IS_SEEN, viewValues } from './page-view.ts';

/** Most changes of one statement: what a reader holds at a time. */
const MAX_CHANGES = 100;

/** Most rows of the log that one statement examines to find them: most may be of other projects. */
const MAX_SCANNED = 1_000;

/** The outbox as a feed of what happened. */
export function createChangeFeed(database: TenantDatabase): ChangeFeed {
  const watches = createChangeWatches(database);
  return {
    findNewest: (tenant) => findNewest(database.ofTenant(tenant), tenant),
    listPageChanges: (view, query) => listPageChanges(database.ofTenant(view.tenant), view, query),
    listEdgeChanges: (view, query) => listEdgeChanges(database.ofTenant(view.tenant), view, query),
    watch: watches.watch,
    get watches() {
      return watches.count;
    },
    close: watches.close,
  };
}

/** Whether the log holds all that came after the place, and how far it was read. Of one snapshot. */
type LogRow = {
  readonly pruned: number;
  readonly newest: number;
  readonly scanned: number;
  readonly reached: number;
};
type FoundRow<Row> = LogRow & ((Row & { readonly sequence: number }) | { readonly sequence: null });

type PageChangeRow = { readonly page_id: PageId; readonly change: 'UPSERT' | 'DELETE' };

/**
 * A page is looked up by the changes that name it: one that is gone, or hidden by now, has none to
 * tell. Of a removed page the log itself says who may hear of it.
 */
async function listPageChanges(
  connection: Connection,
  view: View,
  query: ChangeQuery,
): Promise<ChangeList<LoggedPageChange> | null> {
  const rows = await connection.query<FoundRow<PageChangeRow>>({
    name: 'outbox_list_page_changes',
    text: listOf(`
      select s.sequence, s.subject_id as page_id, s.change
      from scanned s
      left join lateral (
        select p.project_id from page p
        where s.change = 'UPSERT' and p.id = s.subject_id and ${IS_SEEN} limit 1
      ) seen on true
      where s.subject = 'PAGE' and (
        seen.project_id = $4
        or s.change = 'DELETE' and s.project_id = $4 and s.sensitivity <= $3::int2
          and $4 = any($2::uuid[]))
    `),
    values: valuesOf(view, query),
  });
  return toList(rows, query, ({ sequence, page_id, change }) => ({
    sequence,
    kind: change === 'DELETE' ? 'PURGED' : 'WRITTEN',
    pageId: page_id,
  }));
}

type EdgeChangeRow = EdgeRow & { readonly is_last: boolean };

/**
 * A retracted edge never comes back, so the last change of it is the retraction, and one that
 * others follow is not.
 */
async function listEdgeChanges(
  connection: Connection,
  view: View,
  query: ChangeQuery,
): Promise<ChangeList<LoggedEdgeChange> | null> {
  const end = (id: string) =>
    `(select p.project_id from page p where p.id = ${id} and ${IS_SEEN} limit 1)`;
  const rows = await connection.query<FoundRow<EdgeChangeRow>>({
    name: 'outbox_list_edge_changes',
    text: listOf(`
      select s.sequence, s.is_last, ${EDGE_COLUMNS}
      from (
        select sequence, subject_id,
          lead(sequence) over (partition by subject_id order by sequence) is null as is_last
        from scanned where subject = 'EDGE'
      ) s
      cross join lateral (
        select ${EDGE_COLUMNS} from edge e where e.tenant = $1 and e.id = s.subject_id limit 1
      ) e
      cross join lateral ${end('e.from_id')} origin
      cross join lateral ${end('e.to_id')} target
      where $4 in (origin.project_id, target.project_id)
    `),
    values: valuesOf(view, query),
  });
  return toList(rows, query, ({ sequence, is_last, ...row }) => {
    const edge = toEdge(row);
    const kind = edge.retractedAt !== null && is_last ? 'RETRACTED' : 'ASSERTED';
    return { sequence, kind, edge };
  });
}

const nextRow = (after: string) => `
  select o.sequence, o.subject, o.subject_id, o.change, o.project_id, o.sensitivity
  from outbox o where o.tenant = $1 and o.sequence > ${after}
  order by o.sequence limit 1`;

/**
 * Goes from row to row by the primary key: for many at once the planner would read and sort all that
 * follow, since it takes a tenant for small.
 *
 * @param told  gives the changes to tell, each with its sequence, out of `scanned`
 */
function listOf(told: string): string {
  return `
    with recursive walked as (
      (${nextRow('$5::int8')})
      union all
      select o.* from walked w cross join lateral (${nextRow('w.sequence')}) o
    ), scanned as materialized (
      select * from walked limit ${MAX_SCANNED}
    ), told as (
      select * from (${told}) t order by t.sequence limit ${MAX_CHANGES}
    )
    select log.*, told.*
    from (
      select coalesce(max(p.pruned), 0) as pruned, coalesce(max(p.newest), 0) as newest,
        (select count(*) from scanned) as scanned,
        (select coalesce(max(sequence), $5::int8) from scanned) as reached
      from projection p where p.tenant = $1
    ) log
    left join told on true
    order by told.sequence
  `;
}

function valuesOf(view: View, { projectId, after }: ChangeQuery): unknown[] {
  const [tenant, projectIds, clearance] = viewValues(view);
  return [tenant, projectIds, clearance, projectId, after];
}

/** Null when the log was cut after the place, or ends before it: then it is of another log. */
function toList<Row, Change extends { readonly sequence: number }>(
  rows: readonly FoundRow<Row>[],
  { after }: ChangeQuery,
  toChange: (row: Row & { readonly sequence: number }) => Change,
): ChangeList<Change> | null {
  const log: LogRow = rows[0] ?? { pruned: 0, newest: 0, scanned: 0, reached: after };
  if (after < log.pruned || after > log.newest) return null;

  const changes = rows.flatMap((row) => (row.sequence === null ? [] : [toChange(row)]));
  const isFull = changes.length === MAX_CHANGES;
  return {
    changes,
    reached: isFull ? (changes.at(-1)?.sequence ?? after) : log.reached,
    hasMore: isFull || log.scanned === MAX_SCANNED,
  };
}
