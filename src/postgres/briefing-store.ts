import {
  type BriefedContradiction,
  type BriefedPage,
  type BriefedPages,
  type BriefingLimits,
  type BriefingStore,
  FEW_SETTLED,
  MAX_EXCERPT_CHARACTERS,
  MAX_PROBLEMS_LOOKED_AT,
  MOST_BELIEVED,
  SETTLED_KINDS,
  type SettledPage,
  STANDING_PATH,
} from '../memory/briefing-store.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { EDGE_COLUMNS, type EdgeRow, toActiveEdge } from './edge-rows.ts';
import { CURRENT_CONTENT } from './page-rows.ts';
import { HOLDS, IS_CURRENT, IS_SEEN, IS_UNSETTLED, scopeValues, viewValues } from './page-view.ts';

/** What briefings read of a Postgres database. */
export function createBriefingStore(database: TenantDatabase): BriefingStore {
  return {
    read: (view, projectId, limits) =>
      database.ofTenant(view.tenant).transaction('SNAPSHOT', async (connection) => ({
        ...(await listPages(connection, view, projectId, limits)),
        contradictions: await listContradictions(
          connection,
          view,
          projectId,
          limits.contradictions,
        ),
        settled: limits.withSettled ? await listSettled(connection, view, projectId) : [],
      })),
    findMany: (view, ids) => findMany(database.ofTenant(view.tenant), view, ids),
  };
}

const NEWEST_FIRST = 'p.recorded_at desc, p.id';

/** A page is told of once: as a standing answer, if it is one. */
const IS_NOT_STANDING = `not p.path ^@ '${STANDING_PATH}/'`;

/** `page p` as `BriefedPage`, with the current content `v`. */
const BRIEFED = `p.id, p.path, p.kind, p.title, p.recorded_at as "recordedAt",
  left(v.body, ${MAX_EXCERPT_CHARACTERS}) as excerpt,
  octet_length(v.body) = octet_length(left(v.body, ${MAX_EXCERPT_CHARACTERS})) as "isWhole"`;

/** As an object, where a row has two of them. */
const BRIEFED_OBJECT = `(select row_to_json(b) from (select ${BRIEFED}) b)`;

async function listPages(
  connection: Connection,
  view: View,
  projectId: ProjectId,
  { standing, sessions, problems }: BriefingLimits,
): Promise<BriefedPages> {
  const part = (list: keyof BriefedPages, pages: string, order: string, limit: string) => `(
    select '${list}' as list, ${BRIEFED}
    from (
      select p.* from ${pages} order by ${order} limit ${limit}::int8
    ) p ${CURRENT_CONTENT}
    order by ${order}
  )`;
  const ofProject = (condition: string) =>
    `page p where p.project_id = $6::uuid and ${IS_SEEN} and ${IS_CURRENT} and ${condition}`;
  const rows = await connection.query<BriefedPage & { readonly list: keyof BriefedPages }>({
    text: [
      part(
        'standing',
        // The character behind a slash is a nought: all that begins with the path and a slash.
        ofProject(`p.path > '${STANDING_PATH}/' and p.path < '${STANDING_PATH}0'`),
        'p.path',
        '$7',
      ),
      part('sessions', ofProject(`p.kind = 'SESSION' and ${IS_NOT_STANDING}`), NEWEST_FIRST, '$8'),
      part(
        'problems',
        `(
          select p.* from ${ofProject(`p.kind = 'PROBLEM' and ${IS_NOT_STANDING}`)}
          order by ${NEWEST_FIRST} limit ${MAX_PROBLEMS_LOOKED_AT}
        ) p
        where not exists (
          select from edge e
          join page f on f.tenant = $1 and f.id = e.from_id
          where ${HOLDS} and e.to_id = p.id and e.kind = 'FIXES'
            and f.project_id = any($2::uuid[]) and f.sensitivity <= $3::int2)`,
        NEWEST_FIRST,
        '$9',
      ),
    ].join(' union all '),
    values: [...viewValues(view), projectId, standing, sessions, problems],
  });
  const groups = Map.groupBy(rows, ({ list }) => list);
  const listOf = (name: keyof BriefedPages) =>
    (groups.get(name) ?? []).map(({ list, ...page }) => page);
  return {
    standing: listOf('standing'),
    sessions: listOf('sessions'),
    problems: listOf('problems'),
  };
}

async function listContradictions(
  connection: Connection,
  view: View,
  projectId: ProjectId,
  first: number,
): Promise<readonly BriefedContradiction[]> {
  const end = (id: string) => `
    select p.project_id, ${BRIEFED_OBJECT} as page
    from page p ${CURRENT_CONTENT}
    where p.tenant = $1 and p.id = ${id} and ${IS_SEEN} and ${IS_CURRENT}
    limit 1`;
  const rows = await connection.query<
    EdgeRow & Pick<BriefedContradiction, 'challenged' | 'challenger'>
  >({
    text: `
      select ${EDGE_COLUMNS}, t.page as challenged, f.page as challenger
      from edge e
      cross join lateral (${end('e.from_id')}) f
      cross join lateral (${end('e.to_id')}) t
      where ${IS_UNSETTLED}
        and $6::uuid in (f.project_id, t.project_id)
      order by e.id desc
      limit $7::int8
    `,
    values: [...viewValues(view), projectId, first],
  });
  return rows.map(({ challenged, challenger, ...row }) => ({
    edge: toActiveEdge(row),
    challenged,
    challenger,
  }));
}

type SettledRow = {
  readonly id: PageId;
  readonly sessions: number;
  readonly pieces: number;
  readonly newest_at: number | null;
};

async function listSettled(
  connection: Connection,
  view: View,
  projectId: ProjectId,
): Promise<readonly SettledPage[]> {
  const isSettled = `p.kind = any($7::text[]) and ${IS_NOT_STANDING}
    and ${IS_SEEN} and ${IS_CURRENT}`;
  const rows = await connection.query<SettledRow>({
    text: `
      with settled as materialized (
        select p.id from page p
        where p.tenant = $1 and p.project_id = $6::uuid and ${isSettled}
        limit ${FEW_SETTLED + 1}
      ), few as materialized (
        select count(*) <= ${FEW_SETTLED} as are_few from settled
      )
      select s.id, coalesce(t.sessions, 0) as sessions, coalesce(t.pieces, 0) as pieces, t.newest_at
      from settled s
      left join lateral (
        -- With a limit, or the planner would read all of the tenant's.
        select * from evidence_tally t where t.tenant = $1 and t.page_id = s.id limit 1
      ) t on true
      where (select are_few from few)
      union all
      select * from (
        select t.page_id, t.sessions, t.pieces, t.newest_at
        from evidence_tally t
        cross join lateral (
          select from page p
          where p.tenant = $1 and p.id = t.page_id and ${isSettled} limit 1
        ) p
        where t.tenant = $1 and t.project_id = $6::uuid and not (select are_few from few)
        order by t.sessions desc, t.pieces desc, t.page_id
        limit ${MOST_BELIEVED}
      ) many
    `,
    values: [...viewValues(view), projectId, SETTLED_KINDS],
  });
  return rows.map(({ id, sessions, pieces, newest_at }) => ({
    id,
    evidence: {
      count: pieces,
      countsSince: null,
      distinctSessions: sessions,
      newestAt: newest_at,
      unresolvedContradictions: 0,
    },
  }));
}

async function findMany(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
): Promise<readonly (BriefedPage | null)[]> {
  const rows = await connection.query<BriefedPage>({
    name: 'page_find_many_briefed',
    text: `
      select ${BRIEFED} from page p ${CURRENT_CONTENT}
      where p.id = any($4::uuid[]) and ${IS_SEEN}
    `,
    values: [...scopeValues(view), ids],
  });
  const pages = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => pages.get(id) ?? null);
}
