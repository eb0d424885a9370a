import type { PageId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { IS_SEEN, viewValues } from './page-view.ts';

/** Those of the pages that the view sees in the present. One statement, one look-up a page. */
export async function listVisiblePages(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
): Promise<ReadonlySet<PageId>> {
  const [tenant, projectIds, clearance] = viewValues(view);
  const rows = await connection.query<{ id: PageId }>({
    name: 'page_list_visible',
    text: `select p.id from page p where p.id = any($4::uuid[]) and ${IS_SEEN}`,
    values: [tenant, projectIds, clearance, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
