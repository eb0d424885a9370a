import type { Found, LoneFix } from '../lint-store.ts';
import { named, type Said } from './finding.ts';

/** A remedy of something that is no problem any more. */
export function sayLoneFix(
  { pages: [fix, problem], facts }: Found<LoneFix>,
  project: string,
): Said {
  const what = fix ? named(fix, project) : 'A page';
  if (fix === undefined || problem === undefined || facts.status === null) {
    return {
      message: `${what} is a FIX, and fixes nothing that is there.`,
      mend: {
        text: 'Link it with FIXES to what it fixes, give it another kind, or archive it.',
        action: null,
      },
    };
  }
  const gone = named(problem, project);
  const status = facts.status.toLowerCase();
  return {
    message: `${what} fixes ${gone}, which is ${status}.`,
    mend: {
      text: facts.inBody
        ? `Archive ${what} if it is of no more use, or take the link out of its body.`
        : `Archive ${what} if it is of no more use, or take the edge back.`,
      action: facts.inBody
        ? null
        : {
            name: 'unlinkPages',
            edge: { kind: 'FIXES', fromId: fix.id, toId: problem.id },
          },
    },
  };
}
