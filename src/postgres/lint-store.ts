import type { Found, LintedPage, LintQuery, LintStore } from '../memory/lint-store.ts';
import type { View } from '../memory/view.ts';
import type { TenantDatabase } from './connect.ts';
import { LIST_CONTRADICTIONS } from './lint/contradictions.ts';
import { LIST_DANGLING_LINKS } from './lint/dangling-links.ts';
import { LIST_EXPIRED } from './lint/expired-pages.ts';
import { listFound } from './lint/list-found.ts';
import { LIST_LONE_FIXES } from './lint/lone-fixes.ts';
import { LIST_ORPHANS } from './lint/orphans.ts';
import { LIST_RIVALS } from './lint/rival-successors.ts';
import { LIST_SIMILAR_TITLES } from './lint/similar-titles.ts';
import { HOLDS, IS_SEEN, scopeValues, viewValues } from './page-view.ts';
import { ITS_PROJECT, isSeen } from './seen-page.ts';

/** What lint reads of a Postgres database. */
export function createLintStore(database: TenantDatabase): LintStore {
  const lister =
    <Facts>(text: string) =>
    (view: View, query: LintQuery): Promise<Found<Facts>[]> =>
      database
        .ofTenant(view.tenant)
        .transaction('SNAPSHOT', (connection) => listFound(connection, view, query, text));
  return {
    listContradictions: lister(LIST_CONTRADICTIONS),
    listDanglingLinks: lister(LIST_DANGLING_LINKS),
    listRivals: lister(LIST_RIVALS),
    listLoneFixes: lister(LIST_LONE_FIXES),
    listExpired: lister(LIST_EXPIRED),
    listOrphans: lister(LIST_ORPHANS),
    listSimilarTitles: lister(LIST_SIMILAR_TITLES),

    listCauses: (view, after, first) =>
      database.ofTenant(view.tenant).transaction('SNAPSHOT', (connection) =>
        connection.query({
          text: `
            select e.id, e.from_id as "fromId", e.to_id as "toId" from edge e
            where ${HOLDS} and not e.bare and e.kind = 'CAUSES'
              and ($5::uuid is null or e.id > $5::uuid)
              and ${isSeen('e.from_id')} and ${isSeen('e.to_id')}
            order by e.id
            limit $6::int8
          `,
          values: [...viewValues(view).slice(0, 4), after, first],
        }),
      ),

    listPlaces: (view, ids) =>
      database.ofTenant(view.tenant).query<LintedPage>({
        name: 'page_list_places',
        text: `
          select p.id, project.name as project, p.path
          from page p ${ITS_PROJECT}
          where p.id = any($4::uuid[]) and ${IS_SEEN}
          order by p.id
        `,
        values: [...scopeValues(view), ids],
      }),
  };
}
