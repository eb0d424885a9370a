import { z } from 'zod';
import { TextSchema } from '../cursor.ts';
import type { Found, LintedPage, LintQuery, LintStore } from '../lint-store.ts';
import type { View } from '../view.ts';
import { sayCauseCycle } from './cause-cycle.ts';
import { listCauseCycles } from './cause-cycles.ts';
import { sayDanglingLink } from './dangling-link.ts';
import { sayExpiredPage } from './expired-page.ts';
import type { LintSeverity, Said } from './finding.ts';
import { sayLoneFix } from './lone-fix.ts';
import { sayOpenContradiction } from './open-contradiction.ts';
import { sayOrphanPage } from './orphan-page.ts';
import { sayRivalSuccessors } from './rival-successors.ts';
import { saySimilarTitles } from './similar-titles.ts';

/** In the order of their findings: what costs little to look for comes first. */
export const LINT_RULES = [
  'UNRESOLVED_CONTRADICTION',
  'RIVAL_SUCCESSORS',
  'EXPIRED_REFERENCED',
  'DANGLING_LINK',
  'FIX_WITHOUT_PROBLEM',
  'SIMILAR_TITLES',
  'ORPHAN_PAGE',
  'CAUSE_CYCLE',
] as const;
export type LintRule = (typeof LINT_RULES)[number];

export type Finding = Said & {
  readonly rule: LintRule;
  readonly severity: LintSeverity;
  /** The first of the pages concerned, at most `MAX_LINTED_PAGES`. */
  readonly pages: readonly LintedPage[];
  /** How many pages are concerned. */
  readonly pageCount: number;
};

type Rule = {
  readonly severity: LintSeverity;
  /** What a key of its findings is made of. */
  readonly key: z.ZodType<readonly string[]>;
  readonly look: (
    store: LintStore,
    view: View,
    query: LintQuery,
  ) => Promise<readonly (Finding & Pick<Found<unknown>, 'key'>)[]>;
};

const Path = z.tuple([TextSchema]);
const Id = z.tuple([z.guid()]);

export const RULES: { readonly [Name in LintRule]: Rule } = {
  UNRESOLVED_CONTRADICTION: rule('UNRESOLVED_CONTRADICTION', 'WARNING', Id, {
    list: (store, view, query) => store.listContradictions(view, query),
    say: sayOpenContradiction,
  }),
  RIVAL_SUCCESSORS: rule('RIVAL_SUCCESSORS', 'WARNING', Path, {
    list: (store, view, query) => store.listRivals(view, query),
    say: sayRivalSuccessors,
  }),
  EXPIRED_REFERENCED: rule('EXPIRED_REFERENCED', 'WARNING', Path, {
    list: (store, view, query) => store.listExpired(view, query),
    say: sayExpiredPage,
  }),
  DANGLING_LINK: rule(
    'DANGLING_LINK',
    'WARNING',
    z.tuple([TextSchema, TextSchema, TextSchema, TextSchema]),
    {
      list: (store, view, query) => store.listDanglingLinks(view, query),
      say: sayDanglingLink,
    },
  ),
  FIX_WITHOUT_PROBLEM: rule('FIX_WITHOUT_PROBLEM', 'NOTICE', z.tuple([z.guid(), z.guid()]), {
    list: (store, view, query) => store.listLoneFixes(view, query),
    say: sayLoneFix,
  }),
  SIMILAR_TITLES: rule('SIMILAR_TITLES', 'NOTICE', Id, {
    list: (store, view, query) => store.listSimilarTitles(view, query),
    say: saySimilarTitles,
  }),
  ORPHAN_PAGE: rule('ORPHAN_PAGE', 'NOTICE', Path, {
    list: (store, view, query) => store.listOrphans(view, query),
    say: sayOrphanPage,
  }),
  CAUSE_CYCLE: rule('CAUSE_CYCLE', 'WARNING', Path, {
    list: listCauseCycles,
    say: sayCauseCycle,
  }),
};

function rule<Facts>(
  name: LintRule,
  severity: LintSeverity,
  key: Rule['key'],
  {
    list,
    say,
  }: {
    readonly list: (
      store: LintStore,
      view: View,
      query: LintQuery,
    ) => Promise<readonly Found<Facts>[]>;
    readonly say: (found: Found<Facts>, project: string) => Said;
  },
): Rule {
  return {
    severity,
    key,
    look: async (store, view, query) => {
      const found = await list(store, view, query);
      return found.map((each) => ({
        rule: name,
        severity,
        ...say(each, query.project.name),
        key: each.key,
        pages: each.pages,
        pageCount: each.total,
      }));
    },
  };
}
