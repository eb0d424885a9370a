import { endSession } from '../memory/end-session.ts';
import type { Committed } from '../memory/memory-writer.ts';
import { requireProject } from '../memory/readable-projects.ts';
import { MAX_OBSERVED_PAGES, recordObservation } from '../memory/record-observation.ts';
import type { ObservationKey, SessionId } from '../memory/session.ts';
import { startSession } from '../memory/start-session.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { SensitivityRef } from './enums.ts';
import { FAILURES } from './errors.ts';
import { toPageId, toSessionId } from './global-id.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { inInput } from './in-input.ts';
import { IDEMPOTENCY_KEY } from './page-input.ts';
import { ObservationRef, SessionRef } from './session.ts';

/** The session of a payload; whoever may only write reads nothing. */
const SESSION = {
  type: SessionRef,
  nullable: true as const,
  description: 'The session, as it is now; null when it has just been removed.',
  resolve: ({ sessionId }: { sessionId: SessionId }, _args: object, context: RequestContext) =>
    context.loadersAt(null).session.load(sessionId),
};

const StartSessionInputRef = builder.inputType('StartSessionInput', {
  description: 'A session to start. Secrets in its texts are stored as `[REDACTED:<kind>]`.',
  fields: (t) => ({
    project: t.string({ required: true, description: 'The exact name of its project.' }),
    agent: t.string({
      required: true,
      description: 'Who works, not blank; at most 128 characters.',
    }),
    task: t.string({
      required: true,
      description:
        'What for, not blank; at most 300 characters. The title of the page that the session ends in.',
    }),
    sensitivity: t.field({
      type: SensitivityRef,
      description: 'Who may read of it: `INTERNAL` when left out; not above your clearance.',
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

const StartSessionSuccessRef = builder
  .objectRef<{ readonly sessionId: SessionId }>('StartSessionSuccess')
  .implement({
    description: 'The session was started.',
    fields: (t) => ({ session: t.field(SESSION) }),
  });

builder.mutationField('startSession', (t) =>
  t.field({
    type: StartSessionSuccessRef,
    description:
      'Starts a session of an agent: what is observed and written in it counts as one sighting.',
    errors: {
      types: FAILURES.startSession,
      directResult: true,
      union: { name: 'StartSessionResult', description: 'The session, or why there is none.' },
    },
    args: {
      input: t.arg({ type: StartSessionInputRef, required: true, description: 'What to start.' }),
    },
    resolve: async (_root, { input: { project, ...session } }, context) => {
      const { caller, projects } = await context.toWrite();
      const sessionId = await inInput(async () => {
        const { id: projectId } = requireProject(projects, project, 'project');
        return startSession(context.stores, caller, { ...session, projectId });
      });
      context.forget();
      return { sessionId };
    },
  }),
);

const ObservedPageInputRef = builder.inputType('ObservedPageInput', {
  description: 'A page of the project of the session: its `id`, or its `path`.',
  fields: (t) => ({
    id: t.id({ description: 'Its id.' }),
    path: t.string({ description: 'Its path.' }),
  }),
});

const RecordObservationInputRef = builder.inputType('RecordObservationInput', {
  description: 'Something that an agent observed.',
  fields: (t) => ({
    session: t.id({ required: true, description: 'The session, which must not have ended.' }),
    text: t.string({
      required: true,
      description:
        'Not blank; at most 4,000 characters. Secrets are stored as `[REDACTED:<kind>]`.',
    }),
    importance: t.int({ description: '1 to 10; 5 when left out.' }),
    about: t.field({
      type: [ObservedPageInputRef],
      description: `The pages that it is about, at most ${MAX_OBSERVED_PAGES}: each gets one more piece of evidence.`,
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

const RecordObservationSuccessRef = builder
  .objectRef<ObservationKey>('RecordObservationSuccess')
  .implement({
    description: 'The observation was noted.',
    fields: (t) => ({
      observation: t.field({
        type: ObservationRef,
        nullable: true,
        description: 'The observation; null when it has just been removed.',
        resolve: (key, _args, { loadersAt }) => loadersAt(null).observation.load(key),
      }),
      session: t.field(SESSION),
    }),
  });

builder.mutationField('recordObservation', (t) =>
  t.field({
    type: RecordObservationSuccessRef,
    description:
      'Notes what an agent observed in a session. It is as sensitive as the most sensitive page that it is about; a purge of one of these pages removes it.',
    errors: {
      types: FAILURES.recordObservation,
      directResult: true,
      union: {
        name: 'RecordObservationResult',
        description: 'The observation, or why it was not noted.',
      },
    },
    args: {
      input: t.arg({
        type: RecordObservationInputRef,
        required: true,
        description: 'What to note.',
      }),
    },
    resolve: async (_root, { input: { session, about, ...observation } }, context) => {
      const { caller } = await context.toWrite();
      const { sessionId, position } = await inInput(async () =>
        recordObservation(context.stores, caller, {
          ...observation,
          sessionId: toSessionId(session, 'session'),
          about: about?.map(({ id, path }, index) => ({
            id: id == null ? null : toPageId(id, `about.${index}.id`),
            path: path ?? null,
          })),
        }),
      );
      context.forget();
      return { sessionId, position };
    },
  }),
);

const EndSessionInputRef = builder.inputType('EndSessionInput', {
  description: 'A session to end.',
  fields: (t) => ({ session: t.id({ required: true, description: 'The session.' }) }),
});

const EndSessionSuccessRef = builder
  .objectRef<Committed<SessionId> & { readonly sessionId: SessionId }>('EndSessionSuccess')
  .implement({
    description: 'The session is over, and its page is written.',
    fields: (t) => ({ session: t.field(SESSION), graphSequence: t.string(GRAPH_SEQUENCE) }),
  });

builder.mutationField('endSession', (t) =>
  t.field({
    type: EndSessionSuccessRef,
    description:
      'Ends a session: writes its page by rule, with its observations, most important first, and links to the pages that they are about; those gain the session as evidence. Ending it again changes nothing.',
    errors: {
      types: FAILURES.endSession,
      directResult: true,
      union: { name: 'EndSessionResult', description: 'The session, or why it did not end.' },
    },
    args: {
      input: t.arg({ type: EndSessionInputRef, required: true, description: 'What to end.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller } = await context.toWrite();
      const ended = await inInput(async () =>
        endSession(context.stores, caller, toSessionId(input.session, 'session')),
      );
      context.forget();
      return { ...ended, sessionId: ended.result };
    },
  }),
);
