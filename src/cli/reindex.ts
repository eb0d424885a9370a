import { SingleBar } from 'cli-progress';
import { readConfig } from '../config.ts';
import { reindex as makeIndexesAnew } from '../memory/reindex.ts';
import { openEmbeddedStores } from '../open-stores.ts';

/** Makes every search index anew; says how many versions there are and how many had changed. */
export async function reindex({ json }: { readonly json: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const { stores, indexes, close } = await openEmbeddedStores({ dataFolder: config.dataFolder });
  const bar = new SingleBar({
    format: 'reindexing |{bar}| {value} of {total} versions, {duration_formatted}',
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
  });
  try {
    if (process.stderr.isTTY) bar.start(await indexes.countVersions(), 0);
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
