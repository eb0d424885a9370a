import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '../../src/memory/stores.ts';
import { openStores } from '../../src/open-stores.ts';
import { connectPostgres } from '../../src/postgres/connect.ts';

export const STORES = ['embedded', 'server'] as const;
export type StoreKind = (typeof STORES)[number];

export type FreshStore = { readonly stores: Stores; readonly close: () => Promise<void> };

/** An empty store that goes when it is closed: in a folder of its own, or a database of its own on `DATABASE_URL`. */
export function openFreshStore(kind: StoreKind): Promise<FreshStore> {
  return kind === 'embedded' ? openFolder() : openDatabase();
}

async function openFolder(): Promise<FreshStore> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const open = await openStores({ dataFolder: folder, databaseUrl: null, ...LEDGER });
  return {
    stores: open.stores,
    async close() {
      await open.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openDatabase(): Promise<FreshStore> {
  const serverUrl = process.env.DATABASE_URL;
  if (serverUrl === undefined) {
    throw new Error('DATABASE_URL: expected a Postgres server for --store server, but got none.');
  }
  const name = `causeway_bench_${randomBytes(8).toString('hex')}`;
  const admin = connectPostgres({ url: serverUrl, maxConnections: 1 });
  await admin.query({ text: `create database ${name}` });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const open = await openStores({ dataFolder: '', databaseUrl: url.href, ...LEDGER });
  return {
    stores: open.stores,
    async close() {
      await open.close();
      await admin.query({ text: `drop database ${name} with (force)` });
      await admin.close();
    },
  };
}

/** Edges come from the ledger in both: a graph database answers the same. */
const LEDGER = { neo4j: null, graphWaitMs: 0 } as const;
