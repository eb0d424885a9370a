import { createServer, type Server } from 'node:http';
import pino from 'pino';
import { createApp } from '../app.ts';
import { type Config, ConfigError, hintsEnabled, readConfig } from '../config.ts';
import { MemoryError, StoreUnavailableError } from '../memory/errors.ts';
import { openStores } from '../open-stores.ts';
import { drain } from '../server/drain.ts';
import { toListener } from '../server/to-listener.ts';

/** Most time that running requests have to be answered once the end was asked for. */
const DRAIN_MS = 10_000;

/**
 * Opens the store and listens. On SIGINT, SIGTERM or SIGHUP takes no new work, answers what runs, and
 * closes the store.
 */
export async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ base: null, serializers: { err: withoutDetails } });
  const { stores, readiness, close } = await openStores({
    ...config,
    report: (message, error) => log.error({ err: error }, message),
  });
  const app = createApp(stores, {
    limits: { maxGraphDepth: config.maxDepth },
    readiness,
    hintsEnabled: () => hintsEnabled(process.env),
    reportError: (errorId, error) => {
      if (error instanceof StoreUnavailableError) {
        log.warn({ errorId, err: error }, 'a store does not answer');
      } else if (error instanceof MemoryError) {
        log.warn({ errorId, err: error }, 'told to come back later');
      } else {
        log.error({ errorId, err: error }, 'unexpected error');
      }
    },
    logRequest: (record) => log.info(record, 'request'),
  });

  const server = createServer(toListener(app));
  const port = await listen(server, config).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  onceAsked(['SIGINT', 'SIGTERM', 'SIGHUP'], async (signal) => {
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

/**
 * Calls `end` at the first of the signals. The others, and more of the same, change nothing: a second
 * one would otherwise end the process in the middle of its closing.
 */
function onceAsked(
  signals: readonly NodeJS.Signals[],
  end: (signal: NodeJS.Signals) => Promise<void>,
): void {
  let isAsked = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (isAsked) return;
      isAsked = true;
      void end(signal);
    });
  }
}

/** A driver's error may quote whole rows in its details; the log takes none. */
function withoutDetails(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, code };
}
