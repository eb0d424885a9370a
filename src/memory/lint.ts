import { z } from 'zod';
import { decodePlace, encodePlace } from './cursor.ts';
import { InvalidInputError } from './errors.ts';
import { type Finding, LINT_RULES, type LintRule, RULES } from './lint/rules.ts';
import type { Project } from './page.ts';
import { parseFirst } from './paging.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

export type LintList = {
  readonly entries: readonly { readonly finding: Finding; readonly cursor: string }[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
};

/** Findings when the caller does not say how many. */
export const DEFAULT_FINDINGS = 20;
/** Most findings of one list; more come with the next cursor. */
export const MAX_FINDINGS = 200;

/**
 * What wants mending in a project, rule by rule in a fixed order, from after a cursor on. Only what
 * the caller sees: a page that they don't is not there, nor is an edge to it.
 *
 * Costs a statement for each rule that is looked at until there are enough findings, and for circles
 * of causes one for each 10,000 edges. Memory does not grow with the project, but for those.
 *
 * @param rules  which to look for; all when null
 * @throws {InvalidInputError} for an empty list of rules, `first` unless it is whole and positive, and
 * a cursor of another project or of a rule that is not asked for
 * @throws {LimitExceededError} if `first` is above 200
 */
export async function lint(
  { lints }: Pick<Stores, 'lints'>,
  view: View,
  {
    project,
    rules,
    ...query
  }: {
    readonly project: Project;
    readonly rules: readonly LintRule[] | null;
    readonly first: number | null;
    readonly after: string | null;
  },
): Promise<LintList> {
  if (rules?.length === 0) throw new InvalidInputError('rules', 'one rule or more', 'none');
  const first = parseFirst(query.first ?? DEFAULT_FINDINGS, { most: MAX_FINDINGS, field: 'first' });
  const asked = LINT_RULES.filter((rule) => rules?.includes(rule) ?? true);
  const place = query.after === null ? null : parseCursor(query.after, project, asked);

  const entries: { finding: Finding; cursor: string }[] = [];
  for (const rule of place === null ? asked : asked.slice(asked.indexOf(place.rule))) {
    const after = place?.rule === rule ? place.key : null;
    // One more than asked tells whether there are more.
    const found = await RULES[rule].look(lints, view, {
      project,
      first: first + 1 - entries.length,
      after,
    });
    entries.push(
      ...found.map(({ key, ...finding }) => ({ finding, cursor: toCursor(project, rule, key) })),
    );
    if (entries.length > first) break;
  }
  return {
    entries: entries.slice(0, first),
    hasMore: entries.length > first,
    isFirst: place === null,
  };
}

/** Version of the form, project, rule, and the key of a finding of that rule. */
const CursorSchema = z.tuple([z.literal('l1'), z.uuid(), z.enum(LINT_RULES)], z.unknown());

/** The place of a finding as opaque text: it holds while others come and go. */
function toCursor(project: Project, rule: LintRule, key: readonly string[]): string {
  return encodePlace(['l1', project.id, rule, ...key]);
}

function parseCursor(
  cursor: string,
  project: Project,
  rules: readonly LintRule[],
): { readonly rule: LintRule; readonly key: readonly string[] } {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  const [, projectId, rule, ...rest] = parsed.data ?? [];
  const key = rule === undefined ? undefined : RULES[rule].key.safeParse(rest).data;
  if (rule === undefined || key === undefined) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  if (projectId !== project.id || !rules.includes(rule)) {
    throw new InvalidInputError('after', 'a cursor of the same project and rules', cursor);
  }
  return { rule, key };
}
