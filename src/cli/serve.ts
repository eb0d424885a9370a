import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { createApp } from '../app.ts';
import { hintsEnabled, readConfig } from '../config.ts';
import { openEmbeddedStores } from '../open-stores.ts';

/** Opens the store, listens, and closes both in order on SIGINT and SIGTERM. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ base: null });
  const { stores, close } = await openEmbeddedStores({ dataFolder: config.dataFolder });
  const app = createApp(stores, {
    limits: { maxGraphDepth: config.maxDepth },
    hintsEnabled: () => hintsEnabled(process.env),
    reportError: (errorId, error) => log.error({ errorId, err: error }, 'unexpected error'),
  });

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const port = portOf(server.address());
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  log.info(`Causeway answers at http://${host}:${port}/graphql (data in ${config.dataFolder})`);

  const stop = async (): Promise<void> => {
    server.close();
    server.closeIdleConnections();
    await close();
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  return address.port;
}
