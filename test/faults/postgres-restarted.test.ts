import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { type OpenStores, openStores } from '../../src/open-stores.ts';
import { expectWhole } from '../support/graph-parts.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { seedProject } from '../support/seed.ts';
import { type LocalServer, startPostgres } from '../support/services.ts';

const WRITERS = 6;
/** The first two are kills, as a power cut would; the others ask the server to end at once. */
const RESTARTS = ['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGINT'] as const;
const BETWEEN_MS = 1_000;
const RECOVERY_MS = 30_000;

let postgres: LocalServer & { readonly url: string };
let open: OpenStores;
const reports: string[] = [];

beforeAll(async () => {
  // A write that was answered has to be there after a kill.
  vi.stubEnv('PG_DURABLE', '1');
  postgres = await startPostgres();
  const namespace = `restarted_${randomBytes(6).toString('hex')}/`;
  open = await openStores({
    dataFolder: '',
    databaseUrl: postgres.url,
    neo4j: { ...inject('server').neo4j, database: null, namespace },
    graphWaitMs: 10_000,
    report: (message) => reports.push(message),
  });
  await open.graph?.settled();
});

afterAll(async () => {
  await open.close();
  await postgres.remove();
  vi.unstubAllEnvs();
});

async function restart(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  if (signal === 'SIGINT') process.kill(postgres.pid, signal);
  else await postgres.kill();
  await vi.waitFor(() => expect(() => process.kill(-postgres.pid, 0)).toThrow(), RECOVERY_MS);
  const port = Number(new URL(postgres.url).port);
  postgres = await startPostgres({ folder: postgres.folder, port });
}

test('Postgres restarted under load: typed errors meanwhile, then service and nothing lost', {
  timeout: 120_000,
}, async () => {
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, async (_, index) => {
      const principal = { ...LOCAL_PRINCIPAL, tenant: `tenant-${index % 3}` };
      const project = await seedProject(open.stores, `project-${index}`, principal);
      return new RandomWriter(open.stores, project, principal);
    }),
  );
  const writing = keepWriting(writers);

  for (const signal of RESTARTS) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    await restart(signal);
  }
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  await writing.stop();

  expect(writers.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0);
  await vi.waitFor(async () => {
    expect(await open.readiness()).toMatchObject({ postgres: 'up', neo4j: { isProjecting: true } });
  }, RECOVERY_MS);
  if (open.graph === null) throw new Error('Expected a graph.');
  await expectWhole(open.graph.verifySources, writers);
  expect(reports).toEqual([]);
});
