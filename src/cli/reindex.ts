import { readConfig } from '../config.ts';
import { reindex as makeIndexesAnew } from '../memory/reindex.ts';
import { openStores } from '../open-stores.ts';
import { startProgress } from './progress.ts';

/** Makes every search index anew; says how many versions there are and how many had changed. */
export async function reindex({ json }: { readonly json: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const { stores, indexes, close } = await openStores({
    ...config,
    neo4j: null,
    isReindexing: true,
  });
  const total = process.stderr.isTTY ? await indexes.countVersions() : 0;
  const bar = startProgress('reindexing', 'versions', total);
  try {
    const counts = await makeIndexesAnew({ indexes, embedder: stores.embedder }, ({ versions }) =>
      bar.update(versions),
    );
    bar.stop();
    process.stdout.write(
      json
        ? `${JSON.stringify(counts)}\n`
        : `${counts.versions} versions, ${counts.changed} indexed anew\n`,
    );
  } finally {
    bar.stop();
    await close();
  }
}
