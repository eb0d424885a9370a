import { formatDay } from '../instant.ts';
import type { ExpiredPage, Found } from '../lint-store.ts';
import { counted, named, type Said } from './finding.ts';

/** Current pages rely on what is over. */
export function sayExpiredPage(
  { pages: [expired, ...referring], total, facts }: Found<ExpiredPage>,
  project: string,
): Said {
  const what = expired ? named(expired, project) : 'A page';
  const names = referring.map((page) => named(page, project)).join(', ');
  return {
    message: `${what} expired on ${formatDay(facts.validTo)}, and is still referenced by ${counted(total - 1, 'page')}: ${names}.`,
    mend: {
      text: `Write what holds now and link it to ${what} with SUPERSEDES, or take the references out.`,
      action: null,
    },
  };
}
