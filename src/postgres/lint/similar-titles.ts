import { MAX_LINTED_PAGES } from '../../memory/lint-store.ts';
import { IS_SEEN, STANDS } from '../page-view.ts';
import { ITS_PROJECT, PLACE } from '../seen-page.ts';

const IS_COMPARED = `p.project_id = $6::uuid and p.kind <> 'SESSION' and ${IS_SEEN} and ${STANDS}`;

/**
 * As `LintStore.listSimilarTitles`. Reads the titles side by side in the index of what they are made
 * of: one pass, whatever the number of pages.
 */
export const LIST_SIMILAR_TITLES = `
  select array[g.title_key::text] as key, g.count as total, '{}'::json as facts, places.pages
  from (
    select p.title_key, count(*) as count
    from page p
    where ${IS_COMPARED} and p.title_key is not null
      and ($8::text[] is null or p.title_key > ($8::text[])[1]::uuid)
    group by p.title_key
    having count(*) > 1
    order by p.title_key
    limit $7::int8
  ) g
  cross join lateral (
    select json_agg(s.place order by s.path) as pages
    from (
      select ${PLACE} as place, p.path
      from page p ${ITS_PROJECT}
      where ${IS_COMPARED} and p.title_key = g.title_key
      order by p.path
      limit ${MAX_LINTED_PAGES}
    ) s
  ) places
  order by g.title_key
`;
