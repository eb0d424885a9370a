import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

const run = promisify(execFile);
const scriptOf = (service: string) =>
  fileURLToPath(new URL(`../services/${service}/start.sh`, import.meta.url));

const PASSWORD = 'causeway-test';
/** The first run on a machine downloads about 150 MB. */
const INSTALL_TIMEOUT_MS = 600_000;

export type Neo4jAccess = {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
};

/** A service that a run uses, and how it came by it. */
export type Service<Access> = Access & {
  readonly how: 'environment' | 'container' | 'local install';
  /** Stops what the run has started; a service from the environment stays. */
  readonly stop: () => Promise<void>;
};

/** Neither given, nor to be had: the message says what to install. */
export class NoServiceError extends Error {
  override readonly name = 'NoServiceError';
}

/** Postgres from `DATABASE_URL`, else a container, else a local install. Durability is off. */
export async function findPostgres(): Promise<Service<{ readonly url: string }>> {
  const url = process.env.DATABASE_URL;
  if (url) return { url, how: 'environment', stop: async () => undefined };
  if (await hasContainers()) {
    const container = await new GenericContainer('pgvector/pgvector:pg18')
      .withEnvironment({ POSTGRES_PASSWORD: PASSWORD })
      .withExposedPorts(5432)
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start();
    const address = `${container.getHost()}:${container.getMappedPort(5432)}`;
    return {
      url: `postgresql://postgres:${PASSWORD}@${address}/postgres`,
      how: 'container',
      stop: async () => {
        await container.stop();
      },
    };
  }
  const local = await startPostgres();
  return { ...local, how: 'local install', stop: local.remove };
}

/** Neo4j from `NEO4J_URI`, `NEO4J_USER`, `NEO4J_PASSWORD`, else a container, else a local install. */
export async function findNeo4j(): Promise<Service<Neo4jAccess>> {
  const { NEO4J_URI: uri, NEO4J_USER: user = 'neo4j', NEO4J_PASSWORD: password } = process.env;
  if (uri) {
    return { uri, user, password: password ?? '', how: 'environment', stop: async () => undefined };
  }
  if (await hasContainers()) {
    const container = await new GenericContainer('neo4j:5.26-community')
      .withEnvironment({ NEO4J_AUTH: `neo4j/${PASSWORD}` })
      .withExposedPorts(7687)
      .withWaitStrategy(Wait.forLogMessage(/Started\./))
      .start();
    return {
      uri: `bolt://${container.getHost()}:${container.getMappedPort(7687)}`,
      user: 'neo4j',
      password: PASSWORD,
      how: 'container',
      stop: async () => {
        await container.stop();
      },
    };
  }
  const local = await startNeo4j();
  return { ...local, how: 'local install', stop: local.remove };
}

/** A server of its own, started from a local install. */
export type LocalServer = {
  readonly pid: number;
  readonly folder: string;
  /** Kills it as a power cut would (SIGKILL); its data stay for the next start in the same folder. */
  readonly kill: () => Promise<void>;
  /** Kills it and removes its folder. */
  readonly remove: () => Promise<void>;
};

export type LocalOptions = { readonly folder?: string; readonly port?: number };

export async function startPostgres({
  folder,
  port,
}: LocalOptions = {}): Promise<LocalServer & { readonly url: string }> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'causeway-postgres-')));
  const values = await start('postgres', home, {
    PG_PASSWORD: PASSWORD,
    ...(port === undefined ? {} : { PG_PORT: String(port) }),
  });
  return { url: values.DATABASE_URL ?? '', ...toServer(Number(values.PG_PID), home) };
}

export async function startNeo4j({
  folder,
  port,
}: LocalOptions = {}): Promise<LocalServer & Neo4jAccess> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'causeway-neo4j-')));
  const values = await start('neo4j', home, {
    NEO4J_PASSWORD: PASSWORD,
    ...(port === undefined ? {} : { NEO4J_BOLT_PORT: String(port) }),
  });
  return {
    uri: values.NEO4J_URI ?? '',
    user: 'neo4j',
    password: PASSWORD,
    ...toServer(Number(values.NEO4J_PID), home),
  };
}

const NEEDS = {
  postgres: 'bash, Python 3 with pip, and setpriv when run as root',
  neo4j: 'bash, Java 17 or later, Maven and Python 3',
};

/** The variables that a start script prints. */
async function start(
  service: 'postgres' | 'neo4j',
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Partial<Record<string, string>>> {
  const { DATABASE_URL: _url, NEO4J_URI: _uri, ...inherited } = process.env;
  try {
    const { stdout } = await run('bash', [scriptOf(service), folder], {
      env: { ...inherited, ...environment },
      timeout: INSTALL_TIMEOUT_MS,
    });
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  } catch (error) {
    throw new NoServiceError(
      `No ${service} for the tests. Give its address in the environment, or have a container engine run, or install ${NEEDS[service]}. TEST_PROFILE=embedded runs the suites that need no service.`,
      { cause: error },
    );
  }
}

function toServer(pid: number, folder: string): LocalServer {
  const kill = async () => {
    signal(pid);
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    pid,
    folder,
    kill,
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The whole group, since Postgres has a process for each connection. */
function signal(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

let containers: Promise<boolean> | null = null;

function hasContainers(): Promise<boolean> {
  containers ??= getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
  return containers;
}
