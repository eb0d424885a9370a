import type { EdgeKind } from '../memory/edge.ts';
import { DAWN, FOREVER } from '../memory/instant.ts';
import type { WaitingAssertion } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import { toValidTime } from '../memory/version-rules.ts';
import type { Connection } from './connect.ts';

/**
 * Makes the waiting links of bodies agree with them: those of `pageIds` are replaced by `links`.
 * Waiting assertions of callers stay.
 */
export async function waitForPages(
  connection: Connection,
  tenant: string,
  pageIds: readonly PageId[],
  links: readonly {
    readonly fromId: PageId;
    readonly kind: EdgeKind;
    readonly project: string;
    readonly path: string;
  }[],
): Promise<void> {
  await connection.query({
    name: 'waiting_edge_forget_bodies',
    text: `
      with page_key as (
        select project.name, p.path
        from page p join project on project.tenant = $1 and project.id = p.project_id
        where p.tenant = $1 and p.id = any($2::uuid[])
      ), kept as (
        update waiting_edge w set in_body = false from page_key k
        where w.tenant = $1 and w.from_project = k.name and w.from_path = k.path
          and w.in_body and w.asserted
      )
      delete from waiting_edge w using page_key k
      where w.tenant = $1 and w.from_project = k.name and w.from_path = k.path
        and w.in_body and not w.asserted
    `,
    values: [tenant, pageIds],
  });
  if (links.length === 0) return;
  await connection.query({
    name: 'waiting_edge_add_bodies',
    text: `
      insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
        in_body, asserted, valid_from, valid_to)
      select $1, project.name, p.path, l.project, l.path, l.kind, true, false,
        ${DAWN}, ${FOREVER}
      from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as l(from_id, kind, project, path)
      join page p on p.tenant = $1 and p.id = l.from_id
      join project on project.tenant = $1 and project.id = p.project_id
      on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
      set in_body = true
    `,
    values: [
      tenant,
      links.map(({ fromId }) => fromId),
      links.map(({ kind }) => kind),
      links.map(({ project }) => project),
      links.map(({ path }) => path),
    ],
  });
}

/** An edge by the natural keys of its ends, and who says it. */
export type WaitingEdge = Pick<WaitingAssertion, 'kind' | 'from' | 'to' | 'note'> & {
  readonly inBody: boolean;
  readonly asserted: boolean;
  readonly validFrom: number;
  readonly validTo: number;
};

/**
 * Lets edges of callers by natural key wait. One that waits already learns the new note and the new
 * valid time, where there is one, as an active edge does.
 */
export function waitWithAssertions(
  connection: Connection,
  tenant: string,
  edges: readonly WaitingAssertion[],
): Promise<void> {
  return letWait(
    connection,
    tenant,
    edges.map((edge) => ({
      ...edge,
      ...toValidTime(edge.validFrom, edge.validTo),
      inBody: false,
      asserted: true,
    })),
  );
}

const IS_TIMED = `(excluded.valid_from <> ${DAWN} or excluded.valid_to <> ${FOREVER})`;

/** Lets edges wait; of one that waits already, what is new of it is added. */
export async function letWait(
  connection: Connection,
  tenant: string,
  edges: readonly WaitingEdge[],
): Promise<void> {
  if (edges.length === 0) return;
  await connection.query({
    name: 'waiting_edge_add_many',
    text: `
      insert into waiting_edge as w (tenant, from_project, from_path, to_project, to_path, kind,
        in_body, asserted, note, valid_from, valid_to)
      select $1, e.from_project, e.from_path, e.to_project, e.to_path, e.kind,
        e.in_body, e.asserted, e.note, e.valid_from, e.valid_to
      from json_to_recordset($2::json) as e(from_project text, from_path text, to_project text,
        to_path text, kind text, in_body boolean, asserted boolean, note text,
        valid_from int8, valid_to int8)
      on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
      set in_body = w.in_body or excluded.in_body, asserted = w.asserted or excluded.asserted,
        note = coalesce(excluded.note, w.note),
        valid_from = case when ${IS_TIMED} then excluded.valid_from else w.valid_from end,
        valid_to = case when ${IS_TIMED} then excluded.valid_to else w.valid_to end
    `,
    values: [tenant, JSON.stringify(edges.map(toRow))],
  });
}

function toRow({
  kind,
  from,
  to,
  inBody,
  asserted,
  note,
  validFrom,
  validTo,
}: WaitingEdge): object {
  return {
    kind,
    note,
    asserted,
    from_project: from.project,
    from_path: from.path,
    to_project: to.project,
    to_path: to.path,
    in_body: inBody,
    valid_from: validFrom,
    valid_to: validTo,
  };
}
