import {
  type Briefing,
  type BriefingItem,
  briefing,
  DEFAULT_BRIEFING_TOKENS,
  MAX_BRIEFING_TOKENS,
} from '../memory/briefing.ts';
import { STANDING_PATH } from '../memory/briefing-store.ts';
import { BRIEFING_SECTIONS } from '../memory/fit-briefing.ts';
import { findProject } from '../memory/readable-projects.ts';
import { builder } from './builder.ts';
import { EdgeRef } from './edge.ts';
import { describe } from './enums.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';

/** What a section weighs: a budget lets few of them be longer. */
const USUAL_ITEMS = 10;

const BriefingSectionKindRef = builder.enumType('BriefingSectionKind', {
  description: 'A part of a briefing, in the order of the text.',
  values: describe(BRIEFING_SECTIONS, {
    SETTLED:
      'Pages of kind `RULE`, `DECISION`, `PREFERENCE` or `PROCEDURE`, highest confidence first. Where `settledFirst` asks.',
    STANDING_ANSWERS: `Pages under the path \`${STANDING_PATH}/\`: answers that are kept up to date.`,
    RECENT_SESSIONS: 'Pages of kind `SESSION`, newest first.',
    OPEN_PROBLEMS: 'Pages of kind `PROBLEM` that no active `FIXES` edge points at, newest first.',
    UNRESOLVED_CONTRADICTIONS: 'Pages that another one disputes, newest dispute first.',
  }),
});

const BriefingItemRef = builder.objectRef<BriefingItem>('BriefingItem').implement({
  description: 'A page of a briefing.',
  fields: (t) => ({
    page: t.field({
      type: PageRef,
      nullable: true,
      description:
        'The page; of a contradiction, the one that is disputed. Null when it has just been removed.',
      resolve: ({ pageId }, _args, context) => pageAt(context, pageId, null),
    }),
    reason: t.exposeString('reason', { description: 'Why it is here.' }),
    text: t.exposeString('text', { description: 'What the text of the whole says of it.' }),
    isCut: t.exposeBoolean('isCut', {
      description: 'Whether the page says more than the text.',
    }),
    contradiction: t.field({
      type: EdgeRef,
      nullable: true,
      description: 'The contradiction that it is here for; null for any other reason.',
      resolve: ({ contradiction }) => contradiction && { edge: contradiction, readAt: null },
    }),
  }),
});

const BriefingSectionRef = builder
  .objectRef<Briefing['sections'][number]>('BriefingSection')
  .implement({
    description: 'One part of a briefing.',
    fields: (t) => ({
      kind: t.field({
        type: BriefingSectionKindRef,
        description: 'What is in it.',
        resolve: ({ section }) => section,
      }),
      items: t.field({
        type: [BriefingItemRef],
        extensions: { size: () => USUAL_ITEMS },
        description: 'Its pages, in the order of the text.',
        resolve: ({ items }) => items,
      }),
    }),
  });

const BriefingRef = builder.objectRef<Briefing>('Briefing').implement({
  description: 'What a new session should start from.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description:
        'All of it in Markdown, ready for a prompt; empty when there is nothing to tell.',
    }),
    tokens: t.exposeInt('tokens', {
      description:
        'Tokens of the text, estimated as a quarter of its bytes; never above the budget.',
    }),
    truncated: t.exposeBoolean('truncated', {
      description: 'Whether something was left out or cut because of the budget.',
    }),
    sections: t.field({
      type: [BriefingSectionRef],
      extensions: { size: () => BRIEFING_SECTIONS.length },
      description: 'The parts that have something, in the order of the text.',
      resolve: ({ sections }) => sections,
    }),
  }),
});

builder.queryField('briefing', (t) =>
  t.field({
    type: BriefingRef,
    nullable: true,
    description:
      'What a new session should start from: standing answers, recent sessions, open problems, unresolved contradictions, as far as you see them. The sections take turns until the budget is used up, so that a small one has something of each. Null when the project is not there, or not for you.',
    args: {
      project: t.arg.string({ required: true, description: 'The exact name of the project.' }),
      settledFirst: t.arg.boolean({
        description: 'Leads with what is settled, highest confidence first; false when left out.',
      }),
      tokenBudget: t.arg.int({
        description: `Most tokens of the text, 1 to ${MAX_BRIEFING_TOKENS}; ${DEFAULT_BRIEFING_TOKENS} when left out.`,
      }),
    },
    resolve: async (_root, { project, settledFirst, tokenBudget }, context) => {
      const found = findProject(await context.projects(), project, 'project');
      if (found === null) return null;
      return briefing(context.stores, await context.viewAt(null), {
        project: found,
        settledFirst: settledFirst ?? false,
        tokenBudget: tokenBudget ?? null,
      });
    },
  }),
);
