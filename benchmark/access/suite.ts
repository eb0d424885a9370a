// Question: what do authentication and row-level security cost a caller?
// Good numbers: together at most 15 % of the p50 of `recall`, and 25 % of that of `page`.
// One process asks three apps in turns, operation by operation: as a caller with an API key under
// policies, the same without the key, and without policies. The last has a store of its own, of the
// same pages: a connection that changes between roles plans each statement anew. The ratios compare
// with other machines, the milliseconds do not. With DATABASE_URL on Postgres, else embedded.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createApiKey } from '../../src/memory/api-key.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { openDoor } from '../../src/open-door.ts';
import { createStores } from '../../src/open-stores.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';
import { createKeyStore } from '../../src/postgres/key-store.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { findCommit } from '../find-commit.ts';
import { percentile } from '../sampling.ts';

const MIGRATIONS = new URL('../../migrations/postgres/', import.meta.url);
const PAGES = 1_000;
const PAGES_A_WRITE = 100;
const WARM_UP = 100;
const ROUNDS = 810;
const SECRET = 'a secret of the benchmark, long enough';

const WORDS = ['pool', 'timeout', 'gateway', 'deploy', 'retry', 'queue', 'cache', 'leak', 'disk'];

const OPERATIONS = {
  recall: (index: number) =>
    `{ recall(input: { text: "${wordAt(index)} and ${wordAt(index * 5 + 2)}", limit: 10 }) {
      hits { score page { title } explain { keyword { rank } } } } }`,
  page: (index: number) =>
    `{ page(project: "notes", path: "p/${(index * 7) % PAGES}") { title body recordedAt } }`,
};

const wordAt = (index: number): string => WORDS[index % WORDS.length] ?? '';

type Ask = (query: string) => Promise<Record<string, unknown>>;

export async function measureAccess({ keep }: { readonly keep: string | null }): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  const open = () => (databaseUrl === null ? openMemory() : openFresh(databaseUrl));
  const [{ database, close }, unpoliced] = await Promise.all([open(), open()]);
  try {
    // Without a tenant in the setting the view would show nothing.
    await unpoliced.database.query({
      text: 'create or replace view page_of_tenant as select * from page',
    });
    const keys = createKeyStore(database);
    const report = (message: string, error: unknown) =>
      process.stderr.write(`${message} ${error}\n`);
    const door = await openDoor({ tokenSecret: SECRET, jwt: null }, { keys, report });
    const { token } = await createApiKey(
      { keys, secret: SECRET, clock: Date.now },
      { principal: LOCAL_PRINCIPAL, days: 1 },
    );
    const stores = createStores(database);
    const bare = createStores({ ...unpoliced.database, ofTenant: () => unpoliced.database });
    const principalOf = door.principalOf ?? (() => LOCAL_PRINCIPAL);
    const apps = {
      whole: toAsk(createApp(stores, { principalOf }), token),
      policies: toAsk(createApp(stores), null),
      bare: toAsk(createApp(bare), null),
    };
    await seed(apps.policies);
    await seed(apps.bare);
    const result = {
      commit: findCommit(),
      profile: databaseUrl === null ? 'embedded' : 'server',
      machine: `${cpus()[0]?.model}, ${availableParallelism()} cores`,
      node: process.versions.node,
      pages: PAGES,
      rounds: ROUNDS,
      ...(await measure(apps)),
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    if (keep !== null) await writeFile(keep, `${JSON.stringify(result, null, 2)}\n`);
    await door.close();
  } finally {
    await close();
    await unpoliced.close();
  }
}

async function measure(apps: Readonly<Record<string, Ask>>) {
  const figures: Record<string, object> = {};
  for (const [name, queryAt] of Object.entries(OPERATIONS)) {
    const times = new Map(Object.keys(apps).map((app) => [app, [] as number[]]));
    const order = Object.entries(apps);
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      // Each app comes first, second and third equally often with each query: the first finds least cached.
      const turn = Math.floor(Math.abs(round) / WORDS.length) % order.length;
      const turned = [...order.slice(turn), ...order.slice(0, turn)];
      for (const [app, ask] of turned) {
        const started = performance.now();
        await ask(queryAt(Math.abs(round)));
        if (round >= 0) times.get(app)?.push(performance.now() - started);
      }
    }
    const p50 = (app: string) => percentile(times.get(app) ?? [], 0.5);
    const bare = p50('bare');
    figures[name] = {
      p50Ms: Object.fromEntries([...times.keys()].map((app) => [app, round2(p50(app))])),
      ratioOfPolicies: round2(p50('policies') / bare),
      ratioOfWhole: round2(p50('whole') / bare),
    };
  }
  return figures;
}

const round2 = (value: number): number => Math.round(value * 100) / 100;

function toAsk(app: ReturnType<typeof createApp>, token: string | null): Ask {
  return async (query) => {
    const response = await app.fetch('http://localhost/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await response.json();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
}

async function seed(ask: Ask): Promise<void> {
  await ask('mutation { createProject(input: { name: "notes" }) { __typename } }');
  for (let first = 0; first < PAGES; first += PAGES_A_WRITE) {
    const pages = Array.from({ length: PAGES_A_WRITE }, (_, offset) => {
      const at = first + offset;
      const words = [at, at * 3 + 1, at * 7 + 2, at * 11 + 3].map(wordAt).join(' ');
      return `{ path: "p/${at}", title: "Note ${at} on ${wordAt(at)}", body: "${words} in week ${at % 52}" }`;
    });
    await ask(
      `mutation { writePages(input: { project: "notes", pages: [${pages.join(', ')}] }) { __typename } }`,
    );
  }
}

type Opened = { readonly database: Database; readonly close: () => Promise<void> };

async function openMemory(): Promise<Opened> {
  const database = await openEmbedded({ dataFolder: null });
  await migrate(database, MIGRATIONS);
  return { database, close: () => database.close() };
}

async function openFresh(databaseUrl: string): Promise<Opened> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const admin = connectPostgres({ url: databaseUrl, maxConnections: 1 });
  await admin.query({ text: `create database ${name}` });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const database = connectPostgres({ url: url.href });
  await migrate(database, MIGRATIONS);
  return {
    database,
    async close() {
      await database.close();
      await admin.query({ text: `drop database ${name} with (force)` });
      await admin.close();
    },
  };
}
