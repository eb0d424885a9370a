import { v7 as newId } from 'uuid';
import type { EdgeKind } from '../memory/edge.ts';
import { FOREVER } from '../memory/instant.ts';
import type { PageId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { ALWAYS, type LedgerEdge, upsertEdges, withdrawEdges } from './edge-ledger.ts';
import type { DecidedWrite } from './page-writes.ts';
import { takeArrivals } from './take-arrivals.ts';
import { waitForPages } from './waiting-edges.ts';

/** A link of a body, and the page that it points at when the writer sees one. */
type Link = {
  readonly fromId: PageId;
  readonly kind: EdgeKind;
  readonly project: string;
  readonly path: string;
  readonly toId: PageId | null;
};

type BodyEdge = {
  readonly id: string;
  readonly fromId: PageId;
  readonly kind: EdgeKind;
  readonly project: string;
  readonly path: string;
};

/**
 * Makes the edges of written pages agree with their bodies: new links become edges, or wait for
 * their page; edges that no body says any more lose that origin; links that waited for one of the
 * pages become edges.
 *
 * @returns every edge that changed
 */
export async function syncBodyLinks(
  connection: Connection,
  view: View,
  writes: readonly DecidedWrite[],
  now: number,
): Promise<LedgerEdge[]> {
  const links = await findTargets(connection, view, writes);
  const before = await listBodyEdges(
    connection,
    view.tenant,
    writes.filter(({ outcome }) => outcome !== 'CREATED').map(({ pageId }) => pageId),
  );

  const said = new Set(links.map(keyOf));
  const known = new Set(before.map(keyOf));
  const gone = before.filter((edge) => !said.has(keyOf(edge)));
  const fresh = links.filter((link) => !known.has(keyOf(link)));

  const withdrawn = await withdrawEdges(
    connection,
    view.tenant,
    gone.map(({ id }) => id),
    'BODY',
    now,
  );
  const added = await upsertEdges(
    connection,
    view.tenant,
    fresh.flatMap(({ fromId, toId, kind }) =>
      toId === null ? [] : [{ id: newId(), kind, fromId, toId, note: null, ...ALWAYS }],
    ),
    'BODY',
    now,
  );
  await waitForPages(
    connection,
    view.tenant,
    writes.map(({ pageId }) => pageId),
    fresh.filter(({ toId }) => toId === null),
  );
  const arrived = await takeArrivals(
    connection,
    view,
    writes.map(({ pageId }) => pageId),
    now,
  );
  return [...withdrawn, ...added, ...arrived];
}

async function findTargets(
  connection: Connection,
  view: View,
  writes: readonly DecidedWrite[],
): Promise<Link[]> {
  const said = writes.flatMap(({ pageId, write }) =>
    write.links.map((link) => ({ fromId: pageId, ...link })),
  );
  if (said.length === 0) return [];
  const rows = await connection.query<{ position: number; id: PageId }>({
    name: 'page_find_link_targets',
    text: `
      select l.position, p.id
      from unnest($4::text[], $5::text[]) with ordinality as l(project, path, position)
      join project on project.tenant = $1 and project.name = l.project
      join page p on p.tenant = $1 and p.project_id = project.id and p.path = l.path
      where p.project_id = any($2::uuid[]) and p.sensitivity <= $3
    `,
    values: [
      view.tenant,
      view.projectIds,
      view.clearance,
      said.map(({ project }) => project),
      said.map(({ path }) => path),
    ],
  });
  const targets = new Map(rows.map(({ position, id }) => [position, id]));
  return said.map((link, index) => ({ ...link, toId: targets.get(index + 1) ?? null }));
}

/** By natural key, whoever may see the other end: a link that stays must not lose its edge. */
async function listBodyEdges(
  connection: Connection,
  tenant: string,
  fromIds: readonly PageId[],
): Promise<BodyEdge[]> {
  if (fromIds.length === 0) return [];
  return connection.query<BodyEdge>({
    name: 'edge_list_of_bodies',
    text: `
      select e.id, e.from_id as "fromId", e.kind, project.name as project, p.path
      from edge e
      join page p on p.tenant = $1 and p.id = e.to_id
      join project on project.tenant = $1 and project.id = p.project_id
      where e.tenant = $1 and e.from_id = any($2::uuid[])
        and e.recorded_to = ${FOREVER} and e.in_body
      for no key update of e
    `,
    values: [tenant, fromIds],
  });
}

function keyOf(link: Omit<BodyEdge, 'id'>): string {
  return JSON.stringify([link.fromId, link.kind, link.project, link.path]);
}
