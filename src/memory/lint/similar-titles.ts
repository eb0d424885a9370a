import type { Found } from '../lint-store.ts';
import { counted, named, type Said } from './finding.ts';

/** Probably one thing, written down more than once. */
export function saySimilarTitles({ pages, total }: Found<object>, project: string): Said {
  const names = pages.map((page) => named(page, project)).join(', ');
  return {
    message: `${counted(total, 'page')} have titles of the same words: ${names}.`,
    mend: {
      text: 'Where they are about one thing, keep one and link it to the others with SUPERSEDES; else give them titles that tell them apart.',
      action: null,
    },
  };
}
