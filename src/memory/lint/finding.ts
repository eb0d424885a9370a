import type { EdgeId, EdgeKind } from '../edge.ts';
import type { LintedPage } from '../lint-store.ts';
import type { PageId } from '../page.ts';
import { toShown } from '../shown-text.ts';

/** `WARNING`: answers are wrong or doubtful because of it. `NOTICE`: something to tidy. */
export const LINT_SEVERITIES = ['WARNING', 'NOTICE'] as const;
export type LintSeverity = (typeof LINT_SEVERITIES)[number];

/** A write that would mend it, with all that it needs but what only a person can decide. */
export type MendAction =
  | { readonly name: 'resolveContradiction'; readonly edgeId: EdgeId }
  | {
      readonly name: 'linkPages' | 'unlinkPages';
      readonly edge: { readonly kind: EdgeKind; readonly fromId: PageId; readonly toId: PageId };
    }
  | { readonly name: 'writePage'; readonly project: string; readonly path: string };

export type Mend = {
  /** What to do, in words. */
  readonly text: string;
  /** Null where no one write is it. */
  readonly action: MendAction | null;
};

/** What a rule says of something that it found. */
export type Said = { readonly message: string; readonly mend: Mend };

/** A page in a message: its path, and its project where that is another one. */
export function named({ project, path }: Omit<LintedPage, 'id'>, inProject: string): string {
  return project === inProject ? `"${toShown(path)}"` : `"${toShown(`${project}:${path}`)}"`;
}

/** `2 pages`, `1 page`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
