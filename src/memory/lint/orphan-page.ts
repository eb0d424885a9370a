import type { Found } from '../lint-store.ts';
import { named, type Said } from './finding.ts';

/** Only words lead to it, and it leads nowhere. */
export function sayOrphanPage({ pages: [page] }: Found<object>, project: string): Said {
  return {
    message: `${page ? named(page, project) : 'A page'} is joined to no other page.`,
    mend: {
      text: 'Link it to what it is about: in its body, as `[[path]]` or `- causes [[path]]`, or with linkPages.',
      action: null,
    },
  };
}
