import { RunLimitError } from '../memory/run.ts';
import { builder } from './builder.ts';
import { FailureRef } from './errors.ts';

builder.objectType(RunLimitError, {
  name: 'RunLimitReached',
  description: 'You have as many runs open as one may.',
  interfaces: [FailureRef],
  fields: (t) => ({ limit: t.exposeInt('limit', { description: 'Most open runs.' }) }),
});
