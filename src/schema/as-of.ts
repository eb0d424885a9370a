import { parseAsOf } from '../memory/as-of.ts';
import type { AsOf } from '../memory/view.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';

export const AsOfInputRef = builder.inputType('AsOfInput', {
  description:
    'A point of both times: what was true at `validAt` as Causeway knew it at `recordedAt`. At least one is needed.',
  fields: (t) => ({
    validAt: t.field({
      type: 'DateTime',
      description:
        'When it was true in the world. Left out: whatever its valid time, the version that was newest at `recordedAt`.',
    }),
    recordedAt: t.field({
      type: 'DateTime',
      description: 'When Causeway knew it; now, when left out.',
    }),
  }),
});

/** The instant that an argument names; null reads the present. @throws {InvalidInputError} */
export function toAsOf(
  input: typeof AsOfInputRef.$inferInput | null | undefined,
  { stores }: RequestContext,
): AsOf | null {
  return input == null ? null : parseAsOf(input, stores.clock());
}
