import type { Authority, AuthorityCap, AuthorityFactor } from '../memory/authority.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';
import { PageRef } from './page.ts';
import { pagesAt, type ReadAt } from './page-at.ts';

/** What these lists weigh: few pages have more factors or challengers. */
const USUAL_REASONS = 5;

const AuthorityFactorRef = builder.objectRef<AuthorityFactor>('AuthorityFactor').implement({
  description: 'One reason why the word of a page counts for more or less.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The rule.' }),
    multiplier: t.exposeFloat('multiplier', { description: 'Added to 1.0.' }),
    reason: t.exposeString('reason', { description: 'Why it applies.' }),
  }),
});

const AuthorityCapNameRef = builder.enumType('AuthorityCapName', {
  description: 'What caps authority.',
  values: describe(['DO_NOT_ANSWER_FROM', 'SUPERSEDED', 'CONTRADICTED', 'HISTORICAL'], {
    DO_NOT_ANSWER_FROM: 'A tag `do-not-answer-from` or `test-fixture`: 0.55.',
    SUPERSEDED: 'Another page replaces it: 0.65.',
    CONTRADICTED: 'A current page disputes it: 0.65. Where the profile asks.',
    HISTORICAL: 'A tag `historical`: 0.80.',
  } satisfies { [Key in AuthorityCap['name']]: string }),
});

const AuthorityCapRef = builder.objectRef<ReadAt<AuthorityCap>>('AuthorityCap').implement({
  description: 'A ceiling on authority.',
  fields: (t) => ({
    name: t.expose('name', { type: AuthorityCapNameRef, description: 'What put it there.' }),
    limit: t.exposeFloat('limit', { description: 'The ceiling.' }),
    by: t.field({
      type: [PageRef],
      extensions: { size: () => USUAL_REASONS },
      description: 'The challengers, for `CONTRADICTED`; else empty.',
      resolve: ({ by, readAt }, _args, context) => pagesAt(context, by, readAt),
    }),
  }),
});

export const AuthorityRef = builder.objectRef<ReadAt<Authority>>('Authority').implement({
  description:
    'What the fused score is multiplied with: 1.0 and its factors, under the first cap that matches, within 0.55 and 1.50.',
  fields: (t) => ({
    value: t.exposeFloat('value', { description: '0.55 to 1.50.' }),
    factors: t.field({
      type: [AuthorityFactorRef],
      extensions: { size: () => USUAL_REASONS },
      description: 'What was added to 1.0.',
      resolve: ({ factors }) => factors,
    }),
    cap: t.field({
      type: AuthorityCapRef,
      nullable: true,
      description: 'The cap that applied; null when none did.',
      resolve: ({ cap, readAt }) => cap && { ...cap, readAt },
    }),
  }),
});
