import type { Caller } from './caller.ts';
import { digestOf } from './canonical-json.ts';
import type { RecallQuery } from './recall-query.ts';
import type { AsOf } from './view.ts';

/** A query with all that its answer depends on and its caller decides: who asks, and as of when. */
export type CompleteQuery = RecallQuery & {
  readonly tenant: string;
  readonly principal: string;
  readonly asOf: AsOf | null;
};

/** Takes every field of the query, so that none which is added later can be left out. */
export function completeQuery({ principal, view }: Caller, query: RecallQuery): CompleteQuery {
  return { ...query, tenant: view.tenant, principal: principal.name, asOf: view.asOf };
}

/** Names a complete query: 64 hexadecimal digits. Another value in any field gives another one. */
export function digestQuery(query: CompleteQuery): string {
  return digestOf(query);
}
