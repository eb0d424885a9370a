import { z } from 'zod';
import { ACCESS_VARIABLES, type AccessConfig, faultsOfAccess, toAccess } from './access-config.ts';
import { optionalVariable as optional } from './optional-variable.ts';

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'expected true or false' })
  .transform((value) => value === 'true' || value === '1');

/** Digits alone: `Number` would also take an empty text for 0, and `1e3`, and `0x10`. */
const whole = (low: number, high: number) =>
  z
    .string()
    .refine((text) => /^\d+$/u.test(text) && Number(text) >= low && Number(text) <= high, {
      error: `expected a whole number from ${low} to ${high}`,
    })
    .transform(Number);

/** As the driver knows them; without one there is no TLS. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Of two, one reader takes the first and another the last: what was meant to be strict would not be. */
function hasKnownSslMode(url: string): boolean {
  const modes = URL.canParse(url) ? new URL(url).searchParams.getAll('sslmode') : [];
  return modes.length <= 1 && modes.every((mode) => SSL_MODES.includes(mode));
}

/** `fetch` takes no user and password in an address. */
function isModelUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** The environment, as one schema. The descriptions are the public manual. */
export const EnvironmentSchema = z.object({
  CAUSEWAY_DATA: z
    .string()
    .min(1, 'expected the path of a folder')
    .default('.causeway')
    .describe('Folder of the embedded store; not used with `DATABASE_URL`.'),
  DATABASE_URL: optional(
    z
      .string()
      .regex(/^postgres(?:ql)?:\/\/\S+$/u, 'expected postgresql://user:password@host:port/database')
      .refine(hasKnownSslMode, `expected one sslmode of ${SSL_MODES.join(', ')}`),
  ).describe('PostgreSQL 15 to 18 with pgvector, in place of the embedded store.'),
  NEO4J_URI: optional(
    z
      .string()
      .regex(
        /^(?:bolt|neo4j)(?:\+s|\+ssc)?:\/\/\S+$/u,
        'expected bolt://, neo4j://, or either with +s for TLS, +ssc for TLS with any certificate',
      ),
  ).describe('Neo4j that serves edges; without it the ledger in PostgreSQL does.'),
  NEO4J_USER: z.string().min(1, 'expected a name').default('neo4j').describe('User of Neo4j.'),
  NEO4J_PASSWORD: z.string().default('').describe('Password of Neo4j.'),
  NEO4J_DATABASE: optional(z.string()).describe(
    'Database of Neo4j; its home database when left out.',
  ),
  CAUSEWAY_GRAPH_NAMESPACE: z
    .string()
    .regex(/^[\w.-]{0,60}$/u, 'expected at most 60 letters, digits, dots, dashes or underscores')
    .default('')
    .describe('Keeps several installations apart that share one database of Neo4j.'),
  CAUSEWAY_GRAPH_WAIT_MS: whole(0, 60_000)
    .default(500)
    .describe('Most milliseconds that a read of edges waits for writes on their way into Neo4j.'),
  ...ACCESS_VARIABLES,
  CAUSEWAY_PORT: whole(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
  CAUSEWAY_MAX_DEPTH: whole(1, 8)
    .default(4)
    .describe('Most hops of a walk or of nested edge connections; never above 8.'),
  CAUSEWAY_REDACT_PATTERNS: optional(z.string()).describe(
    'File of patterns whose matches are redacted beside the built-in secrets, one a line.',
  ),
  CAUSEWAY_MODEL_URL: optional(
    z
      .string()
      .refine(isModelUrl, 'expected http:// or https:// and no user, as http://127.0.0.1:11434/v1'),
  ).describe('OpenAI-compatible API of a model that `reflect` asks; without one there is none.'),
  CAUSEWAY_MODEL: optional(
    z
      .string()
      .regex(/^[^\s\p{Cc}]{1,200}$/u, 'expected the name of a model, at most 200 characters'),
  ).describe('What the endpoint calls the model.'),
  CAUSEWAY_MODEL_KEY: optional(
    z.string().regex(/^[\x21-\x7e]{1,4096}$/u, 'expected visible ASCII characters without spaces'),
  ).describe('Key for the endpoint, where it asks for one; sent to it alone, and never shown.'),
  CAUSEWAY_HINTS_ENABLED: flag
    .default(false)
    .describe('Whether writes may carry query hints; read at each write.'),
});

export type Config = {
  readonly dataFolder: string;
  /** Null: the embedded store. */
  readonly databaseUrl: string | null;
  /** Null: the ledger serves edges. */
  readonly neo4j: {
    readonly uri: string;
    readonly user: string;
    readonly password: string;
    readonly database: string | null;
    readonly namespace: string;
  } | null;
  readonly graphWaitMs: number;
  readonly host: string;
  readonly access: AccessConfig;
  readonly port: number;
  readonly maxDepth: number;
  /** A file; null: the built-in shapes of secrets alone. */
  readonly redactPatterns: string | null;
  /** Null: nothing asks a model. */
  readonly model: {
    readonly url: string;
    readonly model: string;
    readonly key: string | null;
  } | null;
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
    const name = issue.path.join('.');
    const got = SECRET.test(name) ? 'something else' : `"${environment[name]}"`;
    faults.push(`${name}: ${issue.message}, but got ${got}.`);
  }
  faults.push(...missingOfModel(environment), ...faultsOfAccess(environment));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));

  return {
    dataFolder: parsed.data.CAUSEWAY_DATA,
    databaseUrl: parsed.data.DATABASE_URL ?? null,
    neo4j: toNeo4j(parsed.data),
    graphWaitMs: parsed.data.CAUSEWAY_GRAPH_WAIT_MS,
    host: parsed.data.CAUSEWAY_HOST,
    access: toAccess(environment),
    port: parsed.data.CAUSEWAY_PORT,
    maxDepth: parsed.data.CAUSEWAY_MAX_DEPTH,
    redactPatterns: parsed.data.CAUSEWAY_REDACT_PATTERNS ?? null,
    model: toModel(parsed.data),
  };
}

/** What may hold a password, and is never shown. */
const SECRET = /URL|URI|PASSWORD|KEY|SECRET/u;

function toNeo4j(values: z.output<typeof EnvironmentSchema>): Config['neo4j'] {
  if (values.NEO4J_URI === undefined) return null;
  return {
    uri: values.NEO4J_URI,
    user: values.NEO4J_USER,
    password: values.NEO4J_PASSWORD,
    database: values.NEO4J_DATABASE ?? null,
    namespace: values.CAUSEWAY_GRAPH_NAMESPACE,
  };
}

function toModel(values: z.output<typeof EnvironmentSchema>): Config['model'] {
  const { CAUSEWAY_MODEL_URL: url, CAUSEWAY_MODEL: model, CAUSEWAY_MODEL_KEY: key } = values;
  return url === undefined || model === undefined ? null : { url, model, key: key ?? null };
}

/** A model needs an address and a name: with half of them, someone would wonder why nothing is asked. */
function missingOfModel(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['CAUSEWAY_MODEL_URL', 'CAUSEWAY_MODEL', 'CAUSEWAY_MODEL_KEY'];
  const given = names.find((name) => environment[name]);
  if (given === undefined) return [];
  return names
    .slice(0, 2)
    .filter((name) => !environment[name])
    .map((name) => `${name}: expected a value beside ${given}, but got none.`);
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
