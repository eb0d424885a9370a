import type { Found } from '../lint-store.ts';
import type { CauseCycle } from './cause-cycles.ts';
import { counted, named, type Said } from './finding.ts';

/** Nothing is its own cause: some claim of the circle is wrong, or of another time. */
export function sayCauseCycle({ pages, total, facts }: Found<CauseCycle>, project: string): Said {
  const names = pages.map((page) => named(page, project));
  const rest = total > pages.length ? [`${total - pages.length} more`] : [];
  const others =
    facts.members > total ? ` ${counted(facts.members, 'page')} are in such circles here.` : '';
  return {
    message: `${[...names, ...rest, ...names.slice(0, 1)].join(' causes ')}.${others}`,
    mend: {
      text: 'Take back the claim that does not hold, or give the claims the valid times at which they held.',
      action: null,
    },
  };
}
