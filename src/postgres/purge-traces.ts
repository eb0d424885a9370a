import type { PageId, ProjectId } from '../memory/page.ts';
import type { Connection } from './connect.ts';

/** Takes the place of why a tenant was set back; the next try says it anew. */
const PURGED = 'Removed with a page that was purged.';

/**
 * Removes what was noted about a page elsewhere: what a graph database said when it refused the page,
 * an edge of it or a page that told of it, which may repeat their texts; and what was reflected on in
 * its project, so that the next pass looks at what is left.
 *
 * @param subjectIds  pages and edges
 */
export async function purgeTraces(
  connection: Connection,
  tenant: string,
  projectId: ProjectId,
  subjectIds: readonly PageId[],
): Promise<void> {
  await connection.query({
    name: 'trace_delete_of_page',
    text: `
      with failure as (
        delete from projection_failure where tenant = $1 and subject_id = any($3::uuid[])
      ), setback as (
        update projection set setback = $4 where tenant = $1 and setback is not null
      )
      delete from reflection where tenant = $1 and project_id = $2
    `,
    values: [tenant, projectId, subjectIds, PURGED],
  });
}
