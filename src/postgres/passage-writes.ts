import type { EmbeddedPassage } from '../memory/memory-writer.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { Connection } from './connect.ts';

/** All passages of the current version of a page. */
export type PagePassages = {
  readonly pageId: PageId;
  readonly projectId: ProjectId;
  readonly passages: readonly EmbeddedPassage[];
  /** What made the vectors. */
  readonly model: string;
};

const ROWS = `json_to_recordset($2::json) as n(
        page_id uuid, ordinal int4, project_id uuid, start_offset int4, end_offset int4,
        model text, embedding vector(256))`;

/** Puts the passages of new contents in the place of the old ones, so that an old meaning never serves. */
export async function replacePassages(
  connection: Connection,
  tenant: string,
  pages: readonly PagePassages[],
): Promise<void> {
  if (pages.length === 0) return;
  await connection.query({
    name: 'passage_delete_of_pages',
    text: 'delete from passage where tenant = $1 and page_id = any($2::uuid[])',
    values: [tenant, pages.map(({ pageId }) => pageId)],
  });
  await connection.query({
    name: 'passage_insert_many',
    text: `
      insert into passage
        (tenant, page_id, ordinal, project_id, start_offset, end_offset, model, embedding)
      select $1, n.page_id, n.ordinal, n.project_id, n.start_offset, n.end_offset, n.model,
        n.embedding
      from ${ROWS}
    `,
    values: [tenant, toRows(pages)],
  });
}

/** Those of the pages whose stored passages or vectors differ from these in any way. */
export async function listWithOtherPassages(
  connection: Connection,
  tenant: string,
  pages: readonly PagePassages[],
): Promise<readonly PageId[]> {
  const rows = await connection.query<{ page_id: PageId }>({
    name: 'passage_list_other_pages',
    text: `
      select distinct coalesce(n.page_id, s.page_id) as page_id
      from ${ROWS}
      full join (
        select * from passage where tenant = $1 and page_id = any($3::uuid[])
      ) s on s.page_id = n.page_id and s.ordinal = n.ordinal
      where (s.start_offset, s.end_offset, s.model, s.embedding)
        is distinct from (n.start_offset, n.end_offset, n.model, n.embedding)
    `,
    values: [tenant, toRows(pages), pages.map(({ pageId }) => pageId)],
  });
  return rows.map(({ page_id }) => page_id);
}

function toRows(pages: readonly PagePassages[]): string {
  return JSON.stringify(
    pages.flatMap(({ pageId, projectId, passages, model }) =>
      passages.map(({ ordinal, start, end, vector }) => ({
        page_id: pageId,
        ordinal,
        project_id: projectId,
        start_offset: start,
        end_offset: end,
        model,
        embedding: vector && toVectorText(vector),
      })),
    ),
  );
}

/** Seven digits are all that a float32 of a unit vector holds. */
export function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(7)).join(',')}]`;
}
