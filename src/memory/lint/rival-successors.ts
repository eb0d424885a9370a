import type { Found, LintedPage, RivalSuccessors } from '../lint-store.ts';
import { counted, type MendAction, named, type Said } from './finding.ts';

/** Two successors of one page both claim to be what holds now. */
export function sayRivalSuccessors(
  { pages: [replaced, ...rivals], total }: Found<RivalSuccessors>,
  project: string,
): Said {
  const what = replaced ? named(replaced, project) : 'A page';
  const names = rivals.map((page) => named(page, project)).join(', ');
  return {
    message: `${what} is superseded by ${counted(total - 1, 'page')}, and none of them by another: ${names}.`,
    mend: {
      text: 'Say which of them holds: link it to the others with SUPERSEDES, or take back the edges that are wrong.',
      action: toAction(rivals),
    },
  };
}

/** The newest page has the greatest id. */
function toAction(rivals: readonly LintedPage[]): MendAction | null {
  const [older, newer] = rivals
    .map(({ id }) => id)
    .toSorted()
    .slice(-2);
  if (older === undefined || newer === undefined) return null;
  return { name: 'linkPages', edge: { kind: 'SUPERSEDES', fromId: newer, toId: older } };
}
