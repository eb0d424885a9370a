import type { JsonObject } from './attributes.ts';
import type { Evidence, EvidencePosition } from './evidence.ts';
import type { Page, PageId, PageKind, PageVersion, Project, ProjectId } from './page.ts';
import type { PersonId } from './person.ts';
import type { View } from './view.ts';

/** Namespaces of pages. */
export type ProjectStore = {
  /** The projects of a tenant by name, ascending; all of them, or those of `names`. */
  list(tenant: string, names: readonly string[] | 'ALL'): Promise<Project[]>;
  /** @throws {AlreadyExistsError} if the tenant has a project of that name */
  create(tenant: string, project: Project): Promise<Project>;
};

/** The natural key of a page. */
export type PageKey = { readonly projectId: ProjectId; readonly path: string };

/** Hard conditions on pages; an absent one does not restrict. All given ones must hold. */
export type PageFilter = {
  readonly projectIds?: readonly ProjectId[];
  readonly kinds?: readonly PageKind[];
  /** Pages that carry every one of these tags. */
  readonly tags?: readonly string[];
  /** Pages whose attributes contain this object (Postgres `@>`). */
  readonly attributes?: JsonObject;
  /** Pages that one of these people is assigned to, `RESOLVED`. */
  readonly people?: readonly PersonId[];
  readonly includeIds?: readonly PageId[];
  readonly excludeIds?: readonly PageId[];
  /** Pages about one of these: one of them itself, or joined to one by an active edge of any kind, either way. */
  readonly subjects?: readonly PageId[];
  /** 0 to 3: narrows the view's clearance, never widens it. */
  readonly sensitivityCeiling?: number;
  /** Pages under this path: itself, and all that starts with it and a slash. */
  readonly pathPrefix?: string;
  /** Leave out superseded pages. */
  readonly excludeSuperseded?: boolean;
  /** Leave out archived pages. */
  readonly excludeArchived?: boolean;
};

export type PageOrder = {
  readonly field: 'PATH' | 'TITLE' | 'RECORDED_AT' | 'CREATED_AT' | 'IMPORTANCE';
  readonly direction: 'ASC' | 'DESC';
};

/** The place of a page in an order: the value of the field, then the id; it holds while rows are added. */
export type PagePosition = { readonly value: string | number; readonly id: PageId };

export type PageReader = {
  /** Pages in the order of `ids`; null where there is none that the view sees. One statement. */
  findMany(view: View, ids: readonly PageId[]): Promise<(Page | null)[]>;
  /** As `findMany`, by natural key. One statement. */
  findManyByKey(view: View, keys: readonly PageKey[]): Promise<(Page | null)[]>;
  /** At most `first` pages after the position, and whether more follow. */
  list(
    view: View,
    query: {
      readonly filter: PageFilter;
      readonly order: PageOrder;
      readonly first: number;
      readonly after: PagePosition | null;
    },
  ): Promise<{ pages: Page[]; hasMore: boolean }>;
  count(view: View, filter: PageFilter): Promise<number>;
  /** Newest first; at most `first` versions older than `before`; for each page in order. One statement for all pages. */
  listVersions(
    view: View,
    requests: readonly { pageId: PageId; first: number; before: number | null }[],
  ): Promise<{ versions: PageVersion[]; hasMore: boolean; total: number }[]>;
  /** Numbers of evidence for each page, in order. One statement. */
  evidence(view: View, ids: readonly PageId[]): Promise<EvidenceSummary[]>;
  /** What spoke for each page, newest first; in the past, what had by then. One statement for all pages. */
  listEvidence(
    view: View,
    requests: readonly {
      readonly pageId: PageId;
      readonly first: number;
      readonly after: EvidencePosition | null;
    }[],
  ): Promise<{ evidence: Evidence[]; hasMore: boolean; total: number }[]>;
};

/** What confidence is derived from. */
export type EvidenceSummary = {
  /** Rows that count for the version that is read. */
  readonly count: number;
  /** Rows from before this instant spoke for content that was replaced; null where all count. */
  readonly countsSince: number | null;
  readonly distinctSessions: number;
  readonly newestAt: number | null;
  /** Active, unresolved `CONTRADICTS` edges that point at the page, from current challengers that the view sees. */
  readonly unresolvedContradictions: number;
};
