import { giveFeedback } from '../memory/give-feedback.ts';
import type { PageId } from '../memory/page.ts';
import { type FeedbackCounts, salience, VERDICTS, type Verdict } from '../memory/salience.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';
import { FAILURES } from './errors.ts';
import { toPageId } from './global-id.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';
import { IDEMPOTENCY_KEY } from './page-input.ts';

const VerdictRef = builder.enumType('FeedbackVerdict', {
  description: 'What somebody who used a page says of it.',
  values: describe(VERDICTS, {
    USEFUL: 'It helped: one more piece of evidence.',
    NOT_USEFUL: 'It did not help.',
    WRONG: 'It is not so; weighs as three that are not useful.',
  } satisfies { [Key in Verdict]: string }),
});

const FeedbackRef = builder.objectRef<FeedbackCounts>('Feedback').implement({
  description: 'What was said of a page, in numbers. It belongs to the page, not to a version.',
  fields: (t) => ({
    useful: t.exposeInt('useful', { description: 'How often it was found useful.' }),
    notUseful: t.exposeInt('notUseful', { description: 'How often it was not.' }),
    wrong: t.exposeInt('wrong', { description: 'How often it was found wrong.' }),
    salience: t.float({
      description: 'What this adds to the authority of the page in recall: −0.10 to 0.10.',
      resolve: salience,
    }),
  }),
});

builder.objectField(PageRef, 'feedback', (t) =>
  t.expose('feedback', {
    type: FeedbackRef,
    description:
      'What those who used it said of it. None in every `asOf` read: later feedback does not change the past.',
  }),
);

const GiveFeedbackInputRef = builder.inputType('GiveFeedbackInput', {
  description: 'What somebody says of a page.',
  fields: (t) => ({
    page: t.id({ required: true, description: 'The page.' }),
    verdict: t.field({ type: VerdictRef, required: true, description: 'What they say.' }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

const GiveFeedbackSuccessRef = builder
  .objectRef<{ readonly pageId: PageId }>('GiveFeedbackSuccess')
  .implement({
    description: 'It was counted.',
    fields: (t) => ({
      page: t.field({
        type: PageRef,
        nullable: true,
        description: 'The page, as it is now; null when it has just been removed.',
        resolve: ({ pageId }, _args, context) => pageAt(context, pageId, null),
      }),
    }),
  });

builder.mutationField('giveFeedback', (t) =>
  t.field({
    type: GiveFeedbackSuccessRef,
    description:
      'Counts what somebody says of a page. It moves the authority of the page within bounds, and makes no version.',
    errors: {
      types: FAILURES.giveFeedback,
      directResult: true,
      union: { name: 'GiveFeedbackResult', description: 'The page, or why nothing was counted.' },
    },
    args: {
      input: t.arg({ type: GiveFeedbackInputRef, required: true, description: 'What is said.' }),
    },
    resolve: async (_root, { input: { page, ...feedback } }, context) => {
      const { caller } = await context.toWrite();
      const pageId = await inInput(async () =>
        giveFeedback(context.stores, caller, { ...feedback, pageId: toPageId(page, 'page') }),
      );
      context.forget();
      return { pageId };
    },
  }),
);
