import type { Degraded } from '../memory/degraded.ts';
import { InvalidInputError } from '../memory/errors.ts';
import type { RecallHit } from '../memory/explain-hits.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { parseFirst } from '../memory/paging.ts';
import { RANKING_PROFILES } from '../memory/ranking-profiles.ts';
import { findProjectIds } from '../memory/readable-projects.ts';
import { DEFAULT_RECALL_LIMIT, MAX_RECALL_LIMIT, type Recall, recall } from '../memory/recall.ts';
import type { Snippet } from '../memory/snippet.ts';
import { AsOfInputRef, toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { describe, PageKindRef } from './enums.ts';
import { ExplainRef } from './explain.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { conditions, toPageFilter } from './page-filter.ts';

const RecallInputRef = builder.inputType('RecallInput', {
  description:
    'What to look for. All conditions but `typeHints` are hard: a page that fails one is not found by any arm.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description:
        'A question or words, in any form: no text is a syntax error. Not blank. Words that say nothing (`what`, `the`) are passed over; of a very long text the first part counts.',
    }),
    project: t.string({ description: 'Searches this project alone, by its exact name.' }),
    projects: t.stringList({
      description: 'Searches these projects; all readable ones when neither is given.',
    }),
    beliefTypes: t.field({ type: [PageKindRef], description: 'Pages of one of these kinds.' }),
    ...conditions(t),
    includeSuperseded: t.boolean({
      description: 'Also pages that another one replaced, below their successor; false by default.',
    }),
    includeArchived: t.boolean({ description: 'Also archived pages; false by default.' }),
    asOf: t.field({
      type: AsOfInputRef,
      description: 'Searches the past. It has no vectors, so the dense arm takes no part.',
    }),
    typeHints: t.field({
      type: [PageKindRef],
      description: 'Kinds that are preferred a little. Soft: a wrong one loses no page.',
    }),
    limit: t.int({
      description: `Hits, 1 to ${MAX_RECALL_LIMIT}; ${DEFAULT_RECALL_LIMIT} when left out.`,
    }),
    tokenBudget: t.int({
      description:
        'Most tokens of titles and passages together, estimated as a quarter of their bytes. The first hit always fits.',
    }),
    ranking: t.string({
      description: `A ranking profile: ${RANKING_PROFILES.map(({ name }) => `\`${name}\``).join(', ')}. The first when left out. Sessions have no past: reads of it have no neighbours in sessions.`,
    }),
  }),
});

const SnippetRef = builder.objectRef<Snippet>('Passage').implement({
  description: 'The part of the body that shows why the page was found.',
  fields: (t) => ({
    text: t.exposeString('text', { description: '`body` from `start` to `end`.' }),
    start: t.exposeInt('start', { description: 'Offset into the body, UTF-16 units.' }),
    end: t.exposeInt('end', { description: 'Offset into the body, UTF-16 units, exclusive.' }),
  }),
});

const RecallHitRef = builder.objectRef<RecallHit>('RecallHit').implement({
  description: 'A page that was found, and why.',
  fields: (t) => ({
    page: t.expose('page', { type: PageRef, description: 'The page.' }),
    rank: t.exposeInt('rank', { description: 'Its place, from 1.' }),
    score: t.exposeFloat('score', {
      description:
        '(Σ weight × value of the contributions + type hint) × authority; for a page held below another one, just under the score of that.',
    }),
    passage: t.expose('passage', { type: SnippetRef, description: 'What to read first.' }),
    explain: t.field({
      type: ExplainRef,
      description: 'The account of this hit: `score` can be computed again from it.',
      resolve: ({ explain, page }) => ({ ...explain, readAt: page.readAt }),
    }),
  }),
});

const DegradedArmRef = builder.enumType('DegradedArm', {
  description: 'An arm that may take no part.',
  values: describe(['DENSE', 'GRAPH'], {
    DENSE: 'Search by meaning.',
    GRAPH: 'Neighbours of what was found.',
  }),
});

const DegradedReasonRef = builder.enumType('DegradedReason', {
  description: 'Why an arm took no part.',
  values: describe(['HISTORICAL', 'FAILED'], {
    HISTORICAL: 'The past has no vectors.',
    FAILED: 'It could not answer; the others did.',
  }),
});

const DegradedRef = builder.objectRef<Degraded>('Degraded').implement({
  description: 'An arm that took no part in an answer.',
  fields: (t) => ({
    arm: t.expose('arm', { type: DegradedArmRef, description: 'Which.' }),
    reason: t.expose('reason', { type: DegradedReasonRef, description: 'Why.' }),
  }),
});

const RecallRef = builder.objectRef<Recall>('Recall').implement({
  description: 'What was found.',
  fields: (t) => ({
    hits: t.field({
      type: [RecallHitRef],
      description: 'Best first; equal calls give equal answers.',
      resolve: ({ hits }) => hits,
    }),
    degraded: t.field({
      type: [DegradedRef],
      description: 'Arms that took no part; empty when all did.',
      resolve: ({ degraded }) => degraded,
    }),
    truncated: t.exposeBoolean('truncated', {
      description: 'Whether the text was longer than what is searched for.',
    }),
    ranking: t.exposeString('ranking', { description: 'The ranking profile that was used.' }),
  }),
});

builder.queryField('recall', (t) =>
  t.field({
    type: RecallRef,
    nullable: true,
    description:
      'Finds pages by words, by meaning and by the graph, and accounts for every answer.',
    extensions: {
      size: ({ input }: { input: { limit?: number | null } }) =>
        parseFirst(input.limit ?? DEFAULT_RECALL_LIMIT, {
          most: MAX_RECALL_LIMIT,
          field: 'input.limit',
        }),
    },
    args: {
      input: t.arg({ type: RecallInputRef, required: true, description: 'What to look for.' }),
    },
    resolve: (_root, { input }, context) =>
      inInput(async () => {
        const asOf = toAsOf(input.asOf, context);
        const found = await recall(context.stores, await context.viewAt(asOf), {
          text: input.text,
          filter: await toRecallFilter(input, context),
          includeSuperseded: input.includeSuperseded ?? false,
          includeArchived: input.includeArchived ?? false,
          typeHints: input.typeHints ?? [],
          limit: input.limit ?? null,
          tokenBudget: input.tokenBudget ?? null,
          ranking: input.ranking ?? null,
        });
        // What the graph arm came from is mostly among the hits.
        const { page: loader } = context.loadersAt(asOf);
        for (const { page } of found.hits) loader.prime(page.id, page);
        return found;
      }),
  }),
);

/** @throws {InvalidInputError} naming the condition that does not fit */
async function toRecallFilter(
  { project, beliefTypes, ...rest }: typeof RecallInputRef.$inferInput,
  context: RequestContext,
): Promise<PageFilter> {
  const filter = await toPageFilter({ ...rest, kinds: beliefTypes }, null, context);
  if (project == null) return filter;
  if (rest.projects != null) {
    throw new InvalidInputError('projects', 'either project or projects', 'both');
  }
  const projectIds = findProjectIds(await context.projects(), [project], () => 'project');
  return { ...filter, projectIds };
}
