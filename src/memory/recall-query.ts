import { InvalidInputError } from './errors.ts';
import type { PageKind } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { parseFirst } from './paging.ts';
import { BASELINE, RANKING_PROFILES, type RankingProfile } from './ranking-profiles.ts';

export const MAX_RECALL_LIMIT = 100;
export const DEFAULT_RECALL_LIMIT = 10;

export type RecallInput = {
  readonly text: string;
  /** Hard conditions. Superseded and archived pages are left out unless the next two say otherwise. */
  readonly filter: PageFilter;
  readonly includeSuperseded: boolean;
  readonly includeArchived: boolean;
  /** Soft: a bounded addition for pages of these kinds. */
  readonly typeHints: readonly PageKind[];
  readonly limit: number | null;
  /** Most tokens of titles and passages together; the first hit always fits. */
  readonly tokenBudget: number | null;
  /** A profile or the name of one; null for the default. */
  readonly ranking: string | RankingProfile | null;
};

/** A query that was checked, with the defaults of what was left out. */
export type RecallQuery = RecallInput & { readonly limit: number; readonly ranking: string };

/** @throws {InvalidInputError} for a blank text, a limit out of range, or an unknown profile */
export function parseRecallInput(input: RecallInput): RecallQuery {
  const ranking = findProfile(input.ranking).name;
  const limit = parseFirst(input.limit ?? DEFAULT_RECALL_LIMIT, {
    most: MAX_RECALL_LIMIT,
    field: 'limit',
  });
  if (input.text.trim() === '') {
    throw new InvalidInputError('text', 'a text that is not blank', 'blank text');
  }
  if (input.tokenBudget !== null && !(input.tokenBudget > 0)) {
    throw new InvalidInputError('tokenBudget', 'a number above 0', String(input.tokenBudget));
  }
  return { ...input, limit, ranking };
}

/** A profile itself, one by its name, or the default. @throws {InvalidInputError} naming `ranking` */
export function findProfile(name: RecallInput['ranking']): RankingProfile {
  if (typeof name === 'object' && name !== null) return name;
  const found = name === null ? BASELINE : RANKING_PROFILES.find((each) => each.name === name);
  if (found === undefined) {
    const known = RANKING_PROFILES.map((each) => each.name).join(', ');
    throw new InvalidInputError('ranking', `one of ${known}`, name ?? '');
  }
  return found;
}
