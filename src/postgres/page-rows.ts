import type { JsonObject } from '../memory/attributes.ts';
import {
  type Page,
  type PageKind,
  type PageStatus,
  SENSITIVITIES,
  type Sensitivity,
} from '../memory/page.ts';
import { type FeedbackCounts, NO_FEEDBACK } from '../memory/salience.ts';
import type { View } from '../memory/view.ts';
import { IS_SUPERSEDED, WAS_SUPERSEDED } from './page-view.ts';
import { toValidFrom, toValidTo } from './time-bounds.ts';

/** The counts of `page p`. */
export const FEEDBACK = `json_build_object(
  'useful', p.useful, 'notUseful', p.not_useful, 'wrong', p.wrong) as feedback`;

/** Counts have no history: what is said later must not change the past. */
export const NO_FEEDBACK_THEN = `'${JSON.stringify(NO_FEEDBACK)}'::json as feedback`;

/** The present: `page p` with its current content `v`, as `toPage` reads it. */
export const PAGE_COLUMNS = `p.id, p.project_id, p.path, p.created_at, p.tags, p.attributes,
  p.importance, p.sensitivity, p.hints, ${FEEDBACK}, p.archived, ${IS_SUPERSEDED} as superseded,
  v.version, v.kind, v.title, v.body, v.valid_from, v.valid_to, v.recorded_at`;

/** The past: `page p` with the version `v` that was chosen. It has no hints and no feedback, and nothing was archived. */
export const PAGE_COLUMNS_THEN = `p.id, p.project_id, p.path, p.created_at, p.tags, p.attributes,
  p.importance, p.sensitivity, '{}'::text[] as hints, ${NO_FEEDBACK_THEN}, false as archived,
  ${WAS_SUPERSEDED} as superseded,
  v.version, v.kind, v.title, v.body, v.valid_from, v.valid_to, v.recorded_at`;

/** Joins the current content to `page p`. */
export const CURRENT_CONTENT =
  'join page_version v on v.tenant = p.tenant and v.page_id = p.id and v.version = p.version';

export type PageRow = {
  readonly id: string;
  readonly project_id: string;
  readonly path: string;
  readonly created_at: number;
  readonly tags: readonly string[];
  readonly attributes: JsonObject;
  readonly importance: number;
  readonly sensitivity: number;
  readonly hints: readonly string[];
  readonly feedback: FeedbackCounts;
  readonly archived: boolean;
  readonly superseded: boolean;
  readonly version: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_at: number;
};

export function toPage(row: PageRow, { asOf, now }: View): Page {
  return {
    id: row.id,
    projectId: row.project_id,
    path: row.path,
    version: row.version,
    kind: row.kind,
    title: row.title,
    body: row.body,
    tags: row.tags,
    attributes: row.attributes,
    sensitivity: toSensitivity(row.sensitivity),
    importance: row.importance,
    hints: row.hints,
    feedback: row.feedback,
    status: statusOf(row, asOf === null ? now : (asOf.validAt ?? asOf.recordedAt)),
    validFrom: toValidFrom(row.valid_from),
    validTo: toValidTo(row.valid_to),
    recordedAt: row.recorded_at,
    createdAt: row.created_at,
    readAt: asOf,
  };
}

/** @throws {RangeError} for a rank that the store's own check does not allow */
export function toSensitivity(rank: number): Sensitivity {
  const sensitivity = SENSITIVITIES[rank];
  if (sensitivity === undefined)
    throw new RangeError(`sensitivity must be 0 to 3, but is ${rank}.`);
  return sensitivity;
}

function statusOf({ archived, superseded, valid_to }: PageRow, instant: number): PageStatus {
  if (archived) return 'ARCHIVED';
  if (superseded) return 'SUPERSEDED';
  return valid_to <= instant ? 'EXPIRED' : 'ACTIVE';
}
