import { z } from 'zod';

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'expected true or false' })
  .transform((value) => value === 'true' || value === '1');

const whole = (low: number, high: number) =>
  z.coerce
    .number({ error: `expected a whole number from ${low} to ${high}` })
    .int(`expected a whole number from ${low} to ${high}`)
    .min(low, `expected a whole number from ${low} to ${high}`)
    .max(high, `expected a whole number from ${low} to ${high}`);

/** The environment, as one schema. The descriptions are the public manual. */
export const EnvironmentSchema = z.object({
  CAUSEWAY_DATA: z
    .string()
    .min(1, 'expected the path of a folder')
    .default('.causeway')
    .describe('Folder of the embedded store.'),
  CAUSEWAY_HOST: z
    .enum(['127.0.0.1', 'localhost', '::1'], {
      error: 'expected 127.0.0.1, localhost or ::1: without authentication only loopback is served',
    })
    .default('127.0.0.1')
    .describe('Address to listen on; loopback only, since nobody has to sign in.'),
  CAUSEWAY_PORT: whole(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
  CAUSEWAY_MAX_DEPTH: whole(1, 8)
    .default(4)
    .describe('Most hops of a walk or of nested edge connections; never above 8.'),
  CAUSEWAY_HINTS_ENABLED: flag
    .default(false)
    .describe('Whether writes may carry query hints; read at each write.'),
});

export type Config = {
  readonly dataFolder: string;
  readonly host: string;
  readonly port: number;
  readonly maxDepth: number;
};

/** A fault of the environment, with a line for each variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment once.
 *
 * @throws {ConfigError} naming every variable that does not fit, and every unknown `CAUSEWAY_…` one
 * with the nearest known name
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const known = Object.keys(EnvironmentSchema.shape);
  const faults = Object.keys(environment)
    .filter((name) => name.startsWith('CAUSEWAY_') && !known.includes(name))
    .map((name) => `${name}: there is no such variable; did you mean ${nearest(name, known)}?`);

  const parsed = EnvironmentSchema.safeParse(environment);
  for (const issue of parsed.error?.issues ?? []) {
    faults.push(
      `${issue.path.join('.')}: ${issue.message}, but got "${environment[String(issue.path[0])]}".`,
    );
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));

  return {
    dataFolder: parsed.data.CAUSEWAY_DATA,
    host: parsed.data.CAUSEWAY_HOST,
    port: parsed.data.CAUSEWAY_PORT,
    maxDepth: parsed.data.CAUSEWAY_MAX_DEPTH,
  };
}

/** The gate of query hints, read anew at each call. */
export function hintsEnabled(environment: Readonly<Record<string, string | undefined>>): boolean {
  const value = environment.CAUSEWAY_HINTS_ENABLED;
  return value === 'true' || value === '1';
}

function nearest(name: string, known: readonly string[]): string {
  const [first = ''] = [...known].sort((a, b) => distance(name, a) - distance(name, b));
  return first;
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
