import { access, constants, mkdir } from 'node:fs/promises';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { MemoryError, StoreUnavailableError } from '../memory/errors.ts';
import { checkEndpoint } from '../models/openai-compatible.ts';
import { connectNeo4j } from '../neo4j/driver.ts';
import { findNeo4jVersion } from '../neo4j/find-version.ts';
import { findProjectionStatus } from '../postgres/change-log.ts';
import { connectPostgres, type Database } from '../postgres/connect.ts';
import { reasonOfFolder } from '../postgres/embedded/errors.ts';
import { findPostgresVersion } from '../postgres/find-version.ts';
import { readPatterns } from '../read-patterns.ts';

/** One thing that was looked at; `mend` says what to do where it is not as it should be. */
type Finding = {
  readonly what: string;
  readonly found: string;
  readonly mend: string | null;
};

const OLDEST_POSTGRES = 150_000;
const OLDEST_NODE = 22;

/** Looks at everything that the configuration names; ends with 1 when something has to be mended. */
export async function doctor({ json }: { readonly json: boolean }): Promise<void> {
  const findings = await examine();
  const text = json ? JSON.stringify(findings) : findings.map(toLine).join('\n');
  process.stdout.write(`${text}\n`);
  if (findings.some(({ mend }) => mend !== null)) process.exitCode = 1;
}

async function examine(): Promise<readonly Finding[]> {
  const node = examineNode();
  try {
    const config = readConfig(process.env);
    await readPatterns(config.redactPatterns);
    return [
      node,
      { what: 'configuration', found: 'every variable fits', mend: null },
      ...(config.databaseUrl === null
        ? [await examineFolder(config.dataFolder)]
        : await examinePostgres(config.databaseUrl)),
      ...(config.neo4j === null ? [] : [await examineNeo4j(config.neo4j)]),
      ...(config.model === null ? [] : [await examineModel(config.model)]),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [node, { what: 'configuration', found: 'does not fit', mend: error.message }];
  }
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const mend =
    major >= OLDEST_NODE ? null : `Use Node ${OLDEST_NODE} or later; \`npm start\` brings its own.`;
  return { what: 'Node', found: process.versions.node, mend };
}

async function examineFolder(folder: string): Promise<Finding> {
  const what = 'embedded store';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return { what, found: `${folder} can be written`, mend: null };
  } catch (error) {
    const found = `${folder} can't be used: ${reasonOfFolder(error)}`;
    const mend = 'Make it a folder that this user may write, or set CAUSEWAY_DATA to another one.';
    return { what, found, mend };
  }
}

async function examinePostgres(url: string): Promise<readonly Finding[]> {
  const database = connectPostgres({ url, maxConnections: 1 });
  try {
    const version = await findPostgresVersion(database);
    if (version === null) throw new Error('Expected a version of Postgres, but got none.');
    const { number, name, vector, canCreateExtensions } = version;
    return [
      {
        what: 'Postgres',
        found: name,
        mend: number >= OLDEST_POSTGRES ? null : 'Use PostgreSQL 15 to 18.',
      },
      {
        what: 'pgvector',
        found: vector ?? 'not installed',
        mend: vector === null ? 'Install pgvector 0.7 or later on the server of Postgres.' : null,
      },
      {
        what: 'privileges',
        found: canCreateExtensions ? 'may make extensions' : 'may not make extensions',
        mend: canCreateExtensions
          ? null
          : 'Have the owner of the database run: create extension vector; create extension btree_gin',
      },
      await examineProjection(database),
    ];
  } catch (error) {
    const mend = 'Start it, and look at address, user, password and sslmode in DATABASE_URL.';
    return [{ what: 'Postgres', found: reasonOf(error), mend }];
  } finally {
    await database.close();
  }
}

async function examineProjection(database: Database): Promise<Finding> {
  const what = 'projection';
  const [table] = await database.query<{ exists: boolean }>({
    name: 'projection_find_column',
    text: `
      select exists (
        select from pg_attribute where attrelid = to_regclass('projection') and attname = 'setbacks'
      )`,
  });
  if (table?.exists !== true) return { what, found: 'nothing yet', mend: null };
  const { lag, failures, setbacks } = await findProjectionStatus(database, Date.now());
  const found = `${lag.events} changes behind, for ${lag.seconds} s; ${failures} passed over; ${setbacks} tenants that could not be brought further`;
  const mends = [
    ...(setbacks === 0 ? [] : ['Look at the column setback of the table projection.']),
    ...(failures === 0 ? [] : ['Look at the table projection_failure.']),
  ];
  if (mends.length > 0) mends.push('When it is mended, run `causeway graph rebuild`.');
  return { what, found, mend: mends.length === 0 ? null : mends.join(' ') };
}

async function examineNeo4j(options: NonNullable<Config['neo4j']>): Promise<Finding> {
  const graph = connectNeo4j(options);
  try {
    const version = await findNeo4jVersion(graph);
    const found = version === null ? 'unknown' : `${version.version} ${version.edition}`;
    const isOld =
      version !== null && /^(?:[1-4]\.|5\.(?:\d|1\d|2[0-5])(?:\.|$))/u.test(version.version);
    return { what: 'Neo4j', found, mend: isOld ? 'Use Neo4j 5.26 or later.' : null };
  } catch (error) {
    const mend =
      'Start it, and look at NEO4J_URI (+s asks for TLS), NEO4J_USER and NEO4J_PASSWORD.';
    return { what: 'Neo4j', found: reasonOf(error), mend };
  } finally {
    await graph.close();
  }
}

async function examineModel(model: NonNullable<Config['model']>): Promise<Finding> {
  const what = 'language model';
  try {
    await checkEndpoint(model);
    return { what, found: `its endpoint answers; ${model.model} will be asked`, mend: null };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const mend = 'Start it, and look at CAUSEWAY_MODEL_URL and CAUSEWAY_MODEL_KEY.';
    return { what, found: error.message, mend };
  }
}

/** What a driver said; by its code, where it has one, since its message may quote addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  if (!(cause instanceof Error)) return 'does not answer';
  return `does not answer (${'code' in cause ? String(cause.code) : cause.message})`;
}

function toLine({ what, found, mend }: Finding): string {
  const line = `${mend === null ? 'ok   ' : 'FAULT'} ${what}: ${found}`;
  return mend === null ? line : `${line}\n      ${mend.replaceAll('\n', '\n      ')}`;
}
