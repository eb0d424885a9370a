import { within } from '../memory/errors.ts';
import { closeRun, MAX_LEASE_SECONDS, MAX_SEARCH_BUDGET, openRun } from '../memory/open-run.ts';
import { type Prepared, prepareRecall } from '../memory/prepare-recall.ts';
import { requireProject } from '../memory/readable-projects.ts';
import type { Run } from '../memory/run.ts';
import { toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';
import { inInput } from './in-input.ts';
import { RecallInputRef, refuseRun, toRecallInput } from './recall-input.ts';
import { RunRef } from './run.ts';

const RUN = { type: RunRef, description: 'The run.' };

const OpenRunInputRef = builder.inputType('OpenRunInput', {
  description: 'A run to open. Secrets in its task are shown as `[REDACTED:<kind>]`.',
  fields: (t) => ({
    project: t.string({ required: true, description: 'The exact name of its project.' }),
    task: t.string({ required: true, description: 'What for, not blank; at most 300 characters.' }),
    leaseSeconds: t.int({
      required: true,
      description: `How long it lasts, 1 to ${MAX_LEASE_SECONDS}; then it ends by itself.`,
    }),
    searchBudget: t.int({
      required: true,
      description: `Most searches, 1 to ${MAX_SEARCH_BUDGET}: each recall and each look-up of people that names the run.`,
    }),
  }),
});

const OpenRunSuccessRef = builder.objectRef<{ readonly run: Run }>('OpenRunSuccess').implement({
  description: 'The run is open.',
  fields: (t) => ({ run: t.expose('run', RUN) }),
});

builder.mutationField('openRun', (t) =>
  t.field({
    type: OpenRunSuccessRef,
    description:
      'Opens a run: searches for one task under one budget, which can use prepared queries. It stores nothing; reading is enough.',
    errors: {
      types: FAILURES.openRun,
      directResult: true,
      union: { name: 'OpenRunResult', description: 'The run, or why there is none.' },
    },
    args: {
      input: t.arg({ type: OpenRunInputRef, required: true, description: 'What to open.' }),
    },
    resolve: async (_root, { input: { project, ...run } }, context) => {
      const caller = { principal: context.principal, view: await context.viewAt(null) };
      return inInput(async () => {
        const { id: projectId } = requireProject(await context.projects(), project, 'project');
        return { run: await openRun(context.stores, caller, { ...run, projectId }) };
      });
    },
  }),
);

const CloseRunInputRef = builder.inputType('CloseRunInput', {
  description: 'A run to close.',
  fields: (t) => ({ run: t.id({ required: true, description: 'The run.' }) }),
});

const CloseRunSuccessRef = builder.objectRef<{ readonly run: Run }>('CloseRunSuccess').implement({
  description: 'The run is over.',
  fields: (t) => ({ run: t.expose('run', { ...RUN, description: 'The run, as it ended.' }) }),
});

builder.mutationField('closeRun', (t) =>
  t.field({
    type: CloseRunSuccessRef,
    description: 'Ends a run and all that was prepared in it.',
    errors: {
      types: FAILURES.closeRun,
      directResult: true,
      union: { name: 'CloseRunResult', description: 'The run, or why none was closed.' },
    },
    args: {
      input: t.arg({ type: CloseRunInputRef, required: true, description: 'What to close.' }),
    },
    resolve: (_root, { input }, { principal, stores }) =>
      inInput(async () => ({ run: closeRun(stores, { principal }, input.run) })),
  }),
);

const PrepareRecallInputRef = builder.inputType('PrepareRecallInput', {
  description: 'A query to prepare.',
  fields: (t) => ({
    run: t.id({ required: true, description: 'The run that will ask it.' }),
    query: t.field({
      type: RecallInputRef,
      required: true,
      description:
        'The query, whole: another value in any field is another query. Without `people`, `asOf`, `run` and `prepared`.',
    }),
  }),
});

const PrepareRecallSuccessRef = builder.objectRef<Prepared>('PrepareRecallSuccess').implement({
  description: 'The query is prepared.',
  fields: (t) => ({
    digest: t.exposeID('digest', { description: 'Names the query; give it as `prepared`.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description:
        'When it ends with the lease. It ends sooner when something is recorded in the projects that it searches, when your grants, these projects or the encoder change, and when the run is closed.',
    }),
    run: t.expose('run', RUN),
  }),
});

builder.mutationField('prepareRecall', (t) =>
  t.field({
    type: PrepareRecallSuccessRef,
    description:
      'Embeds the text of a query once, so that searches of the run need not. It is no search: the budget stays.',
    errors: {
      types: FAILURES.prepareRecall,
      directResult: true,
      union: { name: 'PrepareRecallResult', description: 'What was prepared, or why nothing was.' },
    },
    args: {
      input: t.arg({
        type: PrepareRecallInputRef,
        required: true,
        description: 'What to prepare.',
      }),
    },
    resolve: (_root, { input: { run: runId, query: given } }, context) =>
      inInput(async () => {
        const { principal, stores } = context;
        const query = await within('query', async () => toRecallInput(refuseRun(given), context));
        const view = await within('query', () => context.viewAt(toAsOf(given.asOf, context)));
        return prepareRecall(stores, { principal, view }, { runId, query });
      }),
  }),
);
