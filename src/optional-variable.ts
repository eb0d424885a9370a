import { z } from 'zod';

/** Set to nothing is left out, since an environment can't always be told to drop a variable. */
export const optionalVariable = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
