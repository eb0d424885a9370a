import type { Found, OpenContradiction } from '../lint-store.ts';
import { named, type Said } from './finding.ts';

/** Which of two pages holds is open: neither should be relied on. */
export function sayOpenContradiction(
  { pages: [challenged, challenger], facts }: Found<OpenContradiction>,
  project: string,
): Said {
  const what = challenged ? named(challenged, project) : 'A page';
  const by = challenger ? named(challenger, project) : 'another page';
  return {
    message: `${what} is disputed by ${by}, and nobody has settled it.`,
    mend: {
      text: 'Find out which holds, and resolve the contradiction: UPHELD for the challenger, DISMISSED for the challenged, RECONCILED for both.',
      action: { name: 'resolveContradiction', edgeId: facts.edgeId },
    },
  };
}
