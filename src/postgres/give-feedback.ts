import { v7 as newId } from 'uuid';
import { NotFoundError } from '../memory/errors.ts';
import type { Idempotency } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import type { Verdict } from '../memory/salience.ts';
import type { View } from '../memory/view.ts';
import type { TenantDatabase } from './connect.ts';
import { once } from './idempotency.ts';
import { findNewest } from './outbox.ts';
import { IS_SEEN, scopeValues } from './page-view.ts';
import { writeTransaction } from './write-transaction.ts';

/** Counts a verdict on a page; a useful one is evidence. Tells the graph nothing: it has no counts. */
export async function giveFeedback(
  database: TenantDatabase,
  view: View,
  { pageId, verdict }: { readonly pageId: PageId; readonly verdict: Verdict },
  idempotency: Idempotency | null,
  now: number,
): Promise<void> {
  const { tenant } = view;
  const toPageIds = (id: PageId) => [id];
  await writeTransaction(database, tenant, (connection) =>
    once(connection, { tenant, idempotency, now, toPageIds }, async () => {
      const rows = await connection.query({
        name: 'page_count_feedback',
        text: `
          with counted as (
            update page p
            set useful = useful + ($5 = 'USEFUL')::int4,
                not_useful = not_useful + ($5 = 'NOT_USEFUL')::int4,
                wrong = wrong + ($5 = 'WRONG')::int4
            where p.id = $4 and ${IS_SEEN}
            returning p.id, p.recorded_at
          ), evidence as (
            insert into evidence (tenant, page_id, source_kind, source_id, created_at)
            select $1, id, 'FEEDBACK', $6, greatest($7::int8, recorded_at) from counted where $5 = 'USEFUL'
          )
          select id from counted
        `,
        values: [...scopeValues(view), pageId, verdict, newId(), now],
      });
      if (rows.length === 0) throw new NotFoundError('page', 'a page');
      return { result: pageId, graphSequence: await findNewest(connection, tenant) };
    }),
  );
}
