import { createHash } from 'node:crypto';
import type { EdgeKind } from '../../src/memory/edge.ts';
import type { PageKind } from '../../src/memory/page.ts';
import type { View } from '../../src/memory/view.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { LAST_INSTANT, OPEN, SINCE_EVER } from '../../src/postgres/time-bounds.ts';
import { countGrownTables } from '../../src/postgres/upkeep.ts';

/** Rows of the ledger as a test states them, without the rules of the write path. */
export type SeedGraph = {
  readonly tenant: string;
  readonly pages: readonly SeedPage[];
  readonly edges: readonly SeedEdge[];
};

export type SeedPage = {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  readonly kind: PageKind;
  readonly sensitivity: number;
  readonly archived: boolean;
  /** Oldest first. */
  readonly versions: readonly (Interval & {
    readonly kind: PageKind;
    readonly sensitivity: number;
  })[];
};

export type SeedEdge = Interval & {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly fromId: string;
  readonly toId: string;
  readonly at: number;
};

/** Both times, milliseconds UTC, as the store writes them. */
export type Interval = {
  readonly validFrom: number;
  readonly validTo: number;
  readonly recordedAt: number;
  readonly recordedTo: number;
};

/** Always and not withdrawn, recorded at 1. */
export const ALWAYS: Interval = {
  validFrom: SINCE_EVER,
  validTo: OPEN,
  recordedAt: 1,
  recordedTo: OPEN,
};

/** An id that is the same in every run. */
export function toId(...names: readonly (string | number)[]): string {
  const hex = createHash('md5').update(names.join('/')).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** The present of a tenant for a caller of its project `main`. */
export function viewOf(tenant: string, more: Partial<View> = {}): View {
  const projectIds = [toId(tenant, 'main')];
  return { tenant, projectIds, clearance: 1, asOf: null, now: 1_000_000, ...more };
}

/** A page of project `main`, internal, of one version. */
export function pageOf(tenant: string, name: string, more: Partial<SeedPage> = {}): SeedPage {
  const page = {
    id: toId(tenant, name),
    projectId: toId(tenant, 'main'),
    path: name,
    kind: 'NOTE' as const,
    sensitivity: 1,
    archived: false,
    ...more,
  };
  const { kind, sensitivity } = page;
  return { versions: [{ ...ALWAYS, kind, sensitivity }], ...page };
}

/** An edge between pages by name: `leak CAUSES outage`; it began at `at`. */
export function edgeOf(
  tenant: string,
  text: string,
  at = 1,
  more: Partial<SeedEdge> = {},
): SeedEdge {
  const [from = '', kind = '', to = ''] = text.split(' ');
  return {
    ...ALWAYS,
    id: toId(tenant, text, at),
    kind: kind as EdgeKind,
    fromId: toId(tenant, from),
    toId: toId(tenant, to),
    at,
    ...more,
  };
}

/** Writes a graph; five statements, whatever its size. Each tenant once. */
export async function writeGraph(
  database: Database,
  { tenant, pages, edges }: SeedGraph,
): Promise<void> {
  const projects = [...new Set(pages.map(({ projectId }) => projectId))];
  await database.query({
    text: `insert into project (tenant, id, name, description, created_at)
      select $1, id, id::text, '', 0 from unnest($2::uuid[]) as id`,
    values: [tenant, projects],
  });
  await database.query({
    text: `insert into page (tenant, id, project_id, path, created_at, version, kind, title,
        sensitivity, importance, tags, attributes, hints, valid_from, valid_to, recorded_at,
        archived, superseded, keyword, keyword_length)
      select $1, id, "projectId", path, 0, versions, kind, path, sensitivity, 5, '{}', '{}', '{}',
        $3, $4, 1, archived, superseded, '', 0
      from jsonb_to_recordset($2::jsonb) as r(id uuid, "projectId" uuid, path text, kind text,
        sensitivity int2, archived boolean, versions int4, superseded boolean)`,
    values: [
      tenant,
      JSON.stringify(
        pages.map((page) => ({
          ...page,
          versions: page.versions.length,
          superseded: edges.some(
            ({ kind, toId: to, recordedTo }) =>
              kind === 'SUPERSEDES' && to === page.id && recordedTo > LAST_INSTANT,
          ),
        })),
      ),
      SINCE_EVER,
      OPEN,
    ],
  });
  // As a store does it while it is written: see `countGrownTables`.
  await countGrownTables(database);
  await database.query({
    text: `insert into page_version (tenant, page_id, version, project_id, kind, title, body,
        sensitivity, valid_from, valid_to, recorded_at, recorded_to, keyword, keyword_length)
      select $1, "pageId", version, "projectId", kind, '', '', sensitivity, "validFrom", "validTo",
        "recordedAt", "recordedTo", '', 0
      from jsonb_to_recordset($2::jsonb) as r("pageId" uuid, version int4, "projectId" uuid,
        kind text, sensitivity int2, "validFrom" int8, "validTo" int8, "recordedAt" int8,
        "recordedTo" int8)`,
    values: [
      tenant,
      JSON.stringify(
        pages.flatMap(({ id: pageId, projectId, versions }) =>
          versions.map((version, index) => ({ ...version, pageId, projectId, version: index + 1 })),
        ),
      ),
    ],
  });
  await database.query({
    text: `insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, valid_from,
        valid_to, recorded_at, recorded_to, at, resolution)
      select $1, id, "fromId", "toId", kind, false, true, "validFrom", "validTo", "recordedAt",
        "recordedTo", at, case kind when 'CONTRADICTS' then 'UNRESOLVED' end
      from jsonb_to_recordset($2::jsonb) as r(id uuid, "fromId" uuid, "toId" uuid, kind text,
        "validFrom" int8, "validTo" int8, "recordedAt" int8, "recordedTo" int8, at int8)`,
    values: [tenant, JSON.stringify(edges)],
  });
}
