import { InvalidInputError } from '../memory/errors.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { RANKING_PROFILES } from '../memory/ranking-profiles.ts';
import { findProjectIds } from '../memory/readable-projects.ts';
import {
  DEFAULT_RECALL_LIMIT,
  MAX_RECALL_LIMIT,
  type RecallInput,
} from '../memory/recall-query.ts';
import { AsOfInputRef } from './as-of.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { PageKindRef } from './enums.ts';
import { conditions, toPageFilter } from './page-filter.ts';

export const RecallInputRef = builder.inputType('RecallInput', {
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
    run: t.id({
      description:
        'The run that this is a search of: it counts against its budget. One that is over is an error, or with `prepared` an answer without vectors.',
    }),
    prepared: t.id({
      description:
        'What `prepareRecall` of the run gave for this query, or for the one that this query narrows to `people`. Nothing is embedded then: where no vector may serve, the answer is without, and `denseReason` says why.',
    }),
  }),
});

/** The query, without its run and its instant. @throws {InvalidInputError} naming the condition that does not fit */
export async function toRecallInput(
  input: typeof RecallInputRef.$inferInput,
  context: RequestContext,
): Promise<RecallInput> {
  return {
    text: input.text,
    filter: await toRecallFilter(input, context),
    includeSuperseded: input.includeSuperseded ?? false,
    includeArchived: input.includeArchived ?? false,
    typeHints: input.typeHints ?? [],
    limit: input.limit ?? null,
    tokenBudget: input.tokenBudget ?? null,
    ranking: input.ranking ?? null,
  };
}

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

/** A query that is prepared names no run: that stands beside it. @throws {InvalidInputError} naming `run` or `prepared` */
export function refuseRun(input: typeof RecallInputRef.$inferInput) {
  for (const field of ['run', 'prepared'] as const) {
    const came = input[field];
    if (came != null)
      throw new InvalidInputError(field, 'nothing: the run stands beside the query', came);
  }
  return input;
}
