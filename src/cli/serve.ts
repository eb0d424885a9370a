import { createServer, type Server } from 'node:http';
import { createApp } from '../app.ts';
import { type Config, ConfigError, hintsEnabled, readConfig } from '../config.ts';
import { openDoor } from '../open-door.ts';
import { openStores } from '../open-stores.ts';
import { drain } from '../server/drain.ts';
import { toListener } from '../server/to-listener.ts';
import { createLog, reportTo } from './log.ts';
import { onceAsked } from './once-asked.ts';

/** Most time that running requests have to be answered once the end was asked for. */
const DRAIN_MS = 10_000;

/**
 * Opens the store and listens. On SIGINT, SIGTERM or SIGHUP takes no new work, answers what runs, and
 * closes the store.
 */
export async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(1);
  const report = (message: string, error: unknown) => log.error({ err: error }, message);
  const { stores, keys, readiness, close: closeStores } = await openStores({ ...config, report });
  const door = await openDoor(config.access, { keys, report }).catch(async (error: unknown) => {
    await closeStores();
    throw error;
  });
  const close = async () => {
    await door.close();
    await closeStores();
  };
  const app = createApp(stores, {
    limits: { maxGraphDepth: config.maxDepth },
    readiness,
    ...(door.principalOf && { principalOf: door.principalOf }),
    hintsEnabled: () => hintsEnabled(process.env),
    reportError: reportTo(log),
    logRequest: (record) => log.info(record, 'request'),
  });

  const server = createServer(toListener(app));
  const port = await listen(server, config).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  onceAsked(async (signal) => {
    log.info(`${signal}: answering what runs, then closing the store`);
    try {
      const drained = drain(server, DRAIN_MS);
      // Subscriptions run for as long as their clients like, which is too long to wait for.
      await stores.changes.close();
      if (!(await drained)) log.warn(`cut what ran for more than ${DRAIN_MS} ms`);
      await close();
    } catch (error) {
      log.error({ err: error }, 'the store did not close');
      process.exit(1);
    }
    process.exit(0);
  });

  // Said last: whoever reads it may send a signal at once.
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  log.info(`Causeway answers at http://${host}:${port}/graphql (${placeOf(config)})`);
}

/** Where pages and edges are, without a password. */
function placeOf({ databaseUrl, dataFolder, neo4j }: Config): string {
  const pages = databaseUrl === null ? `data in ${dataFolder}` : `data in ${hostOf(databaseUrl)}`;
  return neo4j === null ? pages : `${pages}, edges from ${hostOf(neo4j.uri)}`;
}

function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * @returns the port, which the system chose when it is set to 0
 * @throws {ConfigError} when the port cannot be had
 */
async function listen(server: Server, { host, port }: Config): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const reason = code === 'EACCES' ? 'is not for this user' : 'is taken';
    throw new ConfigError(
      `CAUSEWAY_PORT: expected a free port, but port ${port} ${reason}. Set another one, or 0 for any free one.`,
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
