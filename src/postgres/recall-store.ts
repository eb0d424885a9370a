import type { PageId } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { PageFacts, RecallStore } from '../memory/recall-store.ts';
import { searchedProjects } from '../memory/searched-projects.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { searchByVector, similarities } from './dense-arm.ts';
import { searchByKeywords } from './keyword-arm.ts';
import { FIRST_OWN_PARAMETER, filterPages } from './page-filter.ts';
import { FEEDBACK, NO_FEEDBACK_THEN } from './page-rows.ts';
import { IS_SUPERSEDED, WAS_SUPERSEDED } from './page-view.ts';

/** The retrieval arms over Postgres; a session is one read-only transaction, so one snapshot. */
export function createRecallStore(database: TenantDatabase): RecallStore {
  return {
    session: (view, work) =>
      database.ofTenant(view.tenant).transaction('SEARCH', async (connection) =>
        work({
          searchByKeywords: (query) => searchByKeywords(connection, view, query),
          searchByVector: (query) => searchByVector(connection, view, query),
          similarities: (ids, query) => similarities(connection, view, ids, query),
        }),
      ),

    findMatching: (view, ids, filter, marks) =>
      findMatching(database.ofTenant(view.tenant), view, ids, filter, marks),

    async findCheckpoint(view, filter) {
      const [row] = await database.ofTenant(view.tenant).query<{ newest: number | null }>({
        name: 'page_find_checkpoint',
        text: `
          select max(seen.recorded_at) as newest
          from unnest($2::uuid[]) as searched(id)
          cross join lateral (
            select p.recorded_at from page p
            where p.tenant = $1 and p.project_id = searched.id and p.sensitivity <= $3::int2
            order by p.recorded_at desc
            limit 1
          ) seen
        `,
        values: [view.tenant, searchedProjects(view, filter), view.clearance],
      });
      return row?.newest ?? null;
    },
  };
}

/** Longest text that is read as one turn of a dialogue, bytes. A longer one that ends in a question says more than it asks. */
const LONGEST_TURN_BYTES = 1_000;

/** Whether the text of version `v` ends in a question, in Latin, fullwidth or Arabic script. */
const VERSION_ASKS = `(
  octet_length(v.body) <= ${LONGEST_TURN_BYTES} and right(v.body, 12) ~ '[?？؟][^[:alnum:]]*$'
)`;
const CURRENT_ASKS = `exists (
  select from page_version v
  where v.tenant = p.tenant and v.page_id = p.id and v.version = p.version and ${VERSION_ASKS}
)`;

async function findMatching(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
  filter: PageFilter,
  { withAsks }: { readonly withAsks: boolean },
): Promise<ReadonlyMap<PageId, PageFacts>> {
  if (ids.length === 0) return new Map();
  const { pages, condition, values, shape } = filterPages(view, filter);
  const [kind, isSuperseded, feedback, asks] =
    view.asOf === null
      ? ['p.kind', IS_SUPERSEDED, FEEDBACK, CURRENT_ASKS]
      : ['v.kind', WAS_SUPERSEDED, NO_FEEDBACK_THEN, VERSION_ASKS];
  const rows = await connection.query<PageFacts>({
    name: `page_list_matching_${shape}`,
    text: `
      select p.id, p.path, ${kind}, p.tags, ${isSuperseded} as "isSuperseded", ${feedback},
        case when $${FIRST_OWN_PARAMETER + 1}::bool then ${asks} else false end as asks
      from ${pages}
      where p.id = any($${FIRST_OWN_PARAMETER}::uuid[]) and ${condition}
    `,
    values: [...values, ids, withAsks],
  });
  return new Map(rows.map((facts) => [facts.id, facts]));
}
