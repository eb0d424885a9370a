import type { DanglingLink, Found } from '../lint-store.ts';
import { named, type Said } from './finding.ts';

/** A claim about a page that nobody can read. */
export function sayDanglingLink(
  { pages: [from], facts }: Found<DanglingLink>,
  project: string,
): Said {
  const source = from ? named(from, project) : 'A page';
  const target = named(facts.to, project);
  const link = `${source} says ${facts.kind} of ${target}`;
  if (facts.isThere) {
    return {
      message: `${link}, which is there, but the link still waits.`,
      mend: {
        text: `Write ${source} again as it is: a writer who sees both pages joins them.`,
        action: null,
      },
    };
  }
  const otherwise = facts.inBody ? `, or take the link out of the body of ${source}` : '';
  return {
    message: `${link}, which is not there.`,
    mend: {
      text: `Write ${target}${otherwise}. The link waits for it and becomes an edge by itself.`,
      action: { name: 'writePage', ...facts.to },
    },
  };
}
