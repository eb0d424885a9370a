import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';
import { migrate } from '../../src/postgres/migrate.ts';

const MIGRATIONS = new URL('../../migrations/postgres/', import.meta.url);

declare module 'vitest' {
  export interface ProvidedContext {
    /** File with the dump of a migrated, empty store. */
    readonly migratedDump: string;
    /** Which kind of store the suites of this project open. */
    readonly profile: 'embedded' | 'server';
  }
}

/** Migrates one store for the whole run, so that each test file only loads what came of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  const database = await openEmbedded({ dataFolder: null });
  try {
    await migrate(database, MIGRATIONS);
    const file = join(folder, 'migrated.tar');
    await writeFile(file, await database.dump());
    project.provide('migratedDump', file);
  } finally {
    await database.close();
  }
  return () => rm(folder, { recursive: true, force: true });
}
