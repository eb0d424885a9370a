import { STANDING_PATH } from '../memory/briefing-store.ts';
import {
  REFLECT_OUTCOMES,
  type ReflectedAnswer,
  type Reflection,
  type ReflectOutcome,
} from '../memory/maintain-standing.ts';
import { MAX_REFLECTED_SESSIONS, reflect } from '../memory/reflect.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';
import { FAILURES } from './errors.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';

/** A model gives a handful. */
const USUAL_ANSWERS = 10;

const ReflectOutcomeRef = builder.enumType('ReflectOutcome', {
  description: 'What became of an answer of the model.',
  values: describe(REFLECT_OUTCOMES, {
    WRITTEN: 'The page says it now.',
    UNCHANGED:
      'The page stays: it rests on the same sessions as before, or on more sensitive ones.',
    KEPT_HUMAN: 'The page stays: somebody else has changed it since `reflect` last wrote it.',
    REFUSED: 'It breaks a rule, and nothing of it was stored.',
  } satisfies { [Key in ReflectOutcome]: string }),
});

const ReflectedAnswerRef = builder.objectRef<ReflectedAnswer>('ReflectedAnswer').implement({
  description: 'One answer of the model, and what became of it.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: ReflectOutcomeRef, description: 'What became of it.' }),
    reason: t.exposeString('reason', { description: 'Why, as a sentence.' }),
    page: t.field({
      type: PageRef,
      nullable: true,
      description: 'The standing page; null where the answer was refused.',
      resolve: ({ pageId }, _args, context) =>
        pageId === null ? null : pageAt(context, pageId, null),
    }),
  }),
});

const ReflectInputRef = builder.inputType('ReflectInput', {
  description: 'What to reflect on.',
  fields: (t) => ({
    project: t.string({ required: true, description: 'The exact name of the project.' }),
  }),
});

const ReflectSuccessRef = builder.objectRef<Reflection>('ReflectSuccess').implement({
  description: 'The standing answers are up to what the last sessions learned.',
  fields: (t) => ({
    asked: t.exposeBoolean('asked', {
      description: 'Whether the model was asked: false when no session is new since the last time.',
    }),
    written: t.exposeInt('written', { description: 'Pages that were made or rewritten.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Answers whose evidence is as before.' }),
    keptHuman: t.exposeInt('keptHuman', {
      description: 'Answers that gave way to what somebody else has written.',
    }),
    refused: t.exposeInt('refused', { description: 'Answers that break a rule.' }),
    droppedSources: t.exposeInt('droppedSources', {
      description: 'Sources that the model named and had not been shown.',
    }),
    answers: t.field({
      type: [ReflectedAnswerRef],
      extensions: { size: () => USUAL_ANSWERS },
      description:
        'In the order of the model; the first 20 for each sensitivity of the sessions. Those beyond are refused.',
      resolve: ({ answers }) => answers,
    }),
    graphSequence: t.string({
      nullable: true,
      description:
        'The newest change of the graph that this made, a growing decimal number; null when nothing was written.',
      resolve: ({ graphSequence }) => (graphSequence === null ? null : String(graphSequence)),
    }),
  }),
});

builder.mutationField('reflect', (t) =>
  t.field({
    type: ReflectSuccessRef,
    description: `Has the configured language model read the last ${MAX_REFLECTED_SESSIONS} sessions that you may read, and maintains the pages under \`${STANDING_PATH}/\` by rule: one page for each answer, rewritten only when its sources changed, never in place of what somebody else wrote there, as sensitive as its most sensitive source. May take minutes.`,
    errors: {
      types: FAILURES.reflect,
      directResult: true,
      union: { name: 'ReflectResult', description: 'What was maintained, or why nothing was.' },
    },
    args: {
      input: t.arg({ type: ReflectInputRef, required: true, description: 'What to reflect on.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller, projects } = await context.toWrite();
      const { hintsEnabled } = context.limits;
      const reflection = await inInput(() =>
        reflect(context.stores, caller, input, { projects, hintsEnabled }),
      );
      context.forget();
      return reflection;
    },
  }),
);
