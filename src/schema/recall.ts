import type { Degraded } from '../memory/degraded.ts';
import { InvalidInputError } from '../memory/errors.ts';
import type { RecallHit } from '../memory/explain-hits.ts';
import { parseFirst } from '../memory/paging.ts';
import { type Recall, recall } from '../memory/recall.ts';
import { type RecallInRun, recallInRun } from '../memory/recall-in-run.ts';
import { DEFAULT_RECALL_LIMIT, MAX_RECALL_LIMIT } from '../memory/recall-query.ts';
import type { Snippet } from '../memory/snippet.ts';
import type { View } from '../memory/view.ts';
import { toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { DenseReasonRef, DenseSourceRef } from './dense-source.ts';
import { describe } from './enums.ts';
import { ExplainRef } from './explain.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { RecallInputRef, toRecallInput } from './recall-input.ts';
import { RunRef } from './run.ts';

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
  values: describe(['HISTORICAL', 'FAILED', 'UNPREPARED'], {
    HISTORICAL: 'The past has no vectors.',
    FAILED: 'It could not answer; the others did.',
    UNPREPARED:
      'It was to use a prepared vector, and none may serve this query; see `denseReason`.',
  }),
});

const DegradedRef = builder.objectRef<Degraded>('Degraded').implement({
  description: 'An arm that took no part in an answer.',
  fields: (t) => ({
    arm: t.expose('arm', { type: DegradedArmRef, description: 'Which.' }),
    reason: t.expose('reason', { type: DegradedReasonRef, description: 'Why.' }),
  }),
});

/** What a search outside of a run has no word of is null. */
type RecallAnswer = Recall & {
  readonly [Field in 'digest' | 'expiresAt' | 'run']: RecallInRun[Field] | null;
};

const RecallRef = builder.objectRef<RecallAnswer>('Recall').implement({
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
    denseSource: t.expose('denseSource', {
      type: DenseSourceRef,
      description:
        'Where the vector of the query came from. Whether the search by meaning then answered, `degraded` says.',
    }),
    denseReason: t.expose('denseReason', {
      type: DenseReasonRef,
      nullable: true,
      description: 'Why there was no vector; null where there was one.',
    }),
    digest: t.exposeID('digest', {
      nullable: true,
      description: 'Names the complete query, in a run; null outside of one.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the prepared vector that served it ends; null where none did.',
    }),
    run: t.expose('run', {
      type: RunRef,
      nullable: true,
      description: 'The run, with this search taken from its budget; null where it is over.',
    }),
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
        const found = await find(input, await context.viewAt(asOf), context);
        // What the graph arm came from is mostly among the hits.
        const { page: loader } = context.loadersAt(asOf);
        for (const { page } of found.hits) loader.prime(page.id, page);
        return found;
      }),
  }),
);

async function find(
  input: typeof RecallInputRef.$inferInput,
  view: View,
  context: RequestContext,
): Promise<RecallAnswer> {
  const { run: runId, prepared = null } = input;
  const query = await toRecallInput(input, context);
  if (runId != null) {
    const caller = { principal: context.principal, view };
    return recallInRun(context.stores, caller, query, { runId, prepared });
  }
  if (prepared !== null) throw new InvalidInputError('run', 'the run of what was prepared', 'none');
  const found = await recall(context.stores, view, query);
  return { ...found, digest: null, expiresAt: null, run: null };
}
