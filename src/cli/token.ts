import { ConfigError, readConfig } from '../config.ts';
import { type ApiKey, createApiKey, type KeyStore } from '../memory/api-key.ts';
import { InvalidInputError, NotFoundError } from '../memory/errors.ts';
import { SENSITIVITIES } from '../memory/page.ts';
import { ACCESS_SCOPES } from '../memory/principal.ts';
import { openStores } from '../open-stores.ts';

export type NewTokenOptions = {
  readonly name: string;
  readonly tenant: string;
  readonly scope: readonly string[];
  readonly project: readonly string[];
  readonly allProjects?: true;
  readonly clearance: string;
  readonly days: string;
  readonly json: boolean;
};

/** Makes an API key and prints it, which nothing can do again. */
export async function createToken(options: NewTokenOptions): Promise<void> {
  const { name, tenant, project, allProjects, json } = options;
  const asked = options.scope.length === 0 ? ['memory:read'] : options.scope;
  const scopes = asked.map((text) => oneOf('--scope', ACCESS_SCOPES, text));
  const clearance = oneOf('--clearance', SENSITIVITIES, options.clearance.toUpperCase());
  if ((allProjects === true) === project.length > 0) {
    throw new InvalidInputError(
      '--project',
      'names of projects, or --all-projects',
      allProjects ? 'both' : 'neither',
    );
  }
  const { tokenSecret: secret } = readConfig(process.env).access;
  if (secret === null) {
    throw new ConfigError(
      'CAUSEWAY_TOKEN_SECRET: expected a secret to hash keys with, the same that the server has, but got none. Make one: openssl rand -base64 32',
    );
  }

  const { token, key } = await withKeys((keys) =>
    createApiKey(
      { keys, secret, clock: Date.now },
      {
        principal: { tenant, name, scopes, projects: allProjects ? 'ALL' : project, clearance },
        days: Number(options.days),
      },
    ),
  );
  process.stdout.write(
    json
      ? `${JSON.stringify({ token, ...toShown(key) })}\n`
      : `${token}\n${toLine(key)}\nKeep it now: it is shown this once. Send it as \`Authorization: Bearer …\`.\n`,
  );
}

/** Prints what is known of each key, oldest first. */
export async function listTokens({
  tenant,
  json,
}: {
  readonly tenant?: string;
  readonly json: boolean;
}): Promise<void> {
  const found = await withKeys((keys) => keys.list(tenant ?? null));
  for (const key of found) {
    process.stdout.write(`${json ? JSON.stringify(toShown(key)) : toLine(key)}\n`);
  }
  if (!json) process.stdout.write(`${found.length} ${found.length === 1 ? 'key' : 'keys'}\n`);
}

/** Ends a key: servers that run hear of it at once. */
export async function revokeToken(id: string, { json }: { readonly json: boolean }): Promise<void> {
  const key = await withKeys((keys) => keys.revoke(id, Date.now()));
  if (key === null)
    throw new NotFoundError('id', 'the id of a key, as `causeway token list` shows');
  process.stdout.write(`${json ? JSON.stringify(toShown(key)) : toLine(key)}\n`);
}

async function withKeys<T>(work: (keys: KeyStore) => Promise<T>): Promise<T> {
  const { keys, close } = await openStores({ ...readConfig(process.env), neo4j: null });
  try {
    return await work(keys);
  } finally {
    await close();
  }
}

function oneOf<T extends string>(field: string, known: readonly T[], text: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new InvalidInputError(field, `one of ${known.join(', ')}`, text);
  return found;
}

/** Times as ISO 8601; null where there is none. */
function toShown({ id, principal, ...times }: ApiKey) {
  const at = (time: number | null) => time && new Date(time).toISOString();
  return {
    id,
    ...principal,
    createdAt: at(times.createdAt),
    expiresAt: at(times.expiresAt),
    revokedAt: at(times.revokedAt),
    lastUsedAt: at(times.lastUsedAt),
  };
}

function toLine(key: ApiKey): string {
  const { id, name, tenant, scopes, projects, clearance, ...times } = toShown(key);
  const where = projects === 'ALL' ? 'all projects' : projects.join(', ');
  const end =
    times.revokedAt === null ? `expires ${times.expiresAt}` : `revoked ${times.revokedAt}`;
  const use = times.lastUsedAt === null ? 'never used' : `last used ${times.lastUsedAt}`;
  return `${id}  ${name} of ${tenant}: ${scopes.join(' ')}; ${where}; up to ${clearance}; ${end}; ${use}`;
}
