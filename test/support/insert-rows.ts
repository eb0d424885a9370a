import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../src/memory/attributes.ts';
import type { EdgeKind, Resolution } from '../../src/memory/edge.ts';
import { DAWN, FOREVER } from '../../src/memory/instant.ts';
import type { PageId, PageKind, ProjectId } from '../../src/memory/page.ts';
import type { View } from '../../src/memory/view.ts';
import type { Connection } from '../../src/postgres/connect.ts';

/** One version as it stands in its row; sensitivities are ranks, times milliseconds UTC. */
export type VersionRow = {
  readonly kind?: PageKind;
  readonly title?: string;
  readonly body?: string;
  readonly sensitivity?: number;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly recordedAt?: number;
  readonly recordedTo?: number;
};

/** A page with its versions, oldest first; the last one is current. */
export type PageRows = {
  readonly project: ProjectId;
  readonly id?: PageId;
  readonly path?: string;
  readonly tags?: readonly string[];
  readonly attributes?: JsonObject;
  readonly hints?: readonly string[];
  readonly importance?: number;
  readonly archived?: boolean;
  /** The page's own; that of the current version when left out. */
  readonly sensitivity?: number;
  readonly versions?: readonly VersionRow[];
};

export type EdgeRow = {
  readonly kind: EdgeKind;
  readonly from: PageId;
  readonly to: PageId;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly recordedAt?: number;
  readonly recordedTo?: number;
  readonly resolution?: Resolution;
  readonly resolvedAt?: number;
};

export type Rows = {
  readonly tenant: string;
  /** All that the tenant has, up to RESTRICTED, in the present; what is given replaces that. */
  readonly view: (changes?: Partial<View>) => View;
  readonly project: (name?: string) => Promise<ProjectId>;
  readonly page: (page: PageRows) => Promise<PageId>;
  readonly edge: (edge: EdgeRow) => Promise<string>;
  readonly evidence: (pageId: PageId, kind: string, source: string, at: number) => Promise<void>;
};

/** The clock of a test view: far from the times that rows get by default. */
export const NOW = Date.UTC(2026, 5, 1);

/** Rows of a new tenant, put in as they are: for what no write would make, or not at will. */
export function rowsOf(connection: Connection): Rows {
  const tenant = `tenant-${randomUUID()}`;
  const projects: ProjectId[] = [];

  return {
    tenant,

    view: (changes = {}) => ({
      tenant,
      projectIds: [...projects],
      clearance: 3,
      asOf: null,
      now: NOW,
      ...changes,
    }),

    async project(name = `project-${projects.length + 1}`) {
      const id = randomUUID();
      await connection.query({
        text: 'insert into project values ($1, $2, $3, $4, 0)',
        values: [tenant, id, name, ''],
      });
      projects.push(id);
      return id;
    },

    async page(page) {
      const id = page.id ?? randomUUID();
      const versions = (page.versions ?? [{}]).map(fill);
      const current = versions[versions.length - 1] ?? fill({}, 0);
      await connection.query({
        text: `
          insert into page (tenant, id, project_id, path, created_at, version, kind, title,
            sensitivity, importance, tags, attributes, hints, valid_from, valid_to, recorded_at,
            archived, keyword, keyword_length)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, '', 0)
        `,
        values: [
          tenant,
          id,
          page.project,
          page.path ?? `page/${id}`,
          versions[0]?.recordedAt ?? 0,
          versions.length,
          current.kind,
          current.title,
          page.sensitivity ?? current.sensitivity,
          page.importance ?? 5,
          page.tags ?? [],
          JSON.stringify(page.attributes ?? {}),
          page.hints ?? [],
          current.validFrom,
          current.validTo,
          current.recordedAt,
          page.archived ?? false,
        ],
      });
      await connection.query({
        text: `
          insert into page_version (tenant, page_id, version, project_id, kind, title, body,
            sensitivity, valid_from, valid_to, recorded_at, recorded_to, keyword, keyword_length)
          select $1, $2, v.version, $3, v.kind, v.title, v.body, v.sensitivity, v."validFrom",
            v."validTo", v."recordedAt", v."recordedTo", '', 0
          from jsonb_to_recordset($4::jsonb) as v(version int4, kind text, title text, body text,
            sensitivity int2, "validFrom" int8, "validTo" int8, "recordedAt" int8, "recordedTo" int8)
        `,
        values: [
          tenant,
          id,
          page.project,
          JSON.stringify(versions.map((version, index) => ({ ...version, version: index + 1 }))),
        ],
      });
      return id;
    },

    async edge(edge) {
      const id = randomUUID();
      const recordedAt = edge.recordedAt ?? 0;
      await connection.query({
        text: `
          insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, valid_from, valid_to,
            recorded_at, recorded_to, at, resolution, resolved_at)
          values ($1, $2, $3, $4, $5, false, true, $6, $7, $8, $9, $10, $11, $12)
        `,
        values: [
          tenant,
          id,
          edge.from,
          edge.to,
          edge.kind,
          edge.validFrom ?? DAWN,
          edge.validTo ?? FOREVER,
          recordedAt,
          edge.recordedTo ?? FOREVER,
          edge.validFrom ?? recordedAt,
          edge.resolution ?? (edge.kind === 'CONTRADICTS' ? 'UNRESOLVED' : null),
          edge.resolvedAt ?? null,
        ],
      });
      await connection.query({
        text: `
          update page set superseded = exists (
            select from edge where tenant = $1 and to_id = $2 and kind = 'SUPERSEDES'
              and recorded_to = 253402300800000
          ) where tenant = $1 and id = $2
        `,
        values: [tenant, edge.to],
      });
      return id;
    },

    async evidence(pageId, kind, source, at) {
      await connection.query({
        text: 'insert into evidence values ($1, $2, $3, $4, $5)',
        values: [tenant, pageId, kind, source, at],
      });
    },
  };
}

/** A version as a plain write at instant 1, 2, 3 would leave it. */
function fill(version: VersionRow, index: number): Required<VersionRow> {
  return {
    kind: 'NOTE',
    title: `version ${index + 1}`,
    body: `body ${index + 1}`,
    sensitivity: 0,
    validFrom: DAWN,
    validTo: FOREVER,
    recordedAt: index + 1,
    recordedTo: FOREVER,
    ...version,
  };
}
