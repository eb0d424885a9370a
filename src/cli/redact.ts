import { readConfig } from '../config.ts';
import { type RedactCounts, redactStore } from '../memory/redact-store.ts';
import { reindex } from '../memory/reindex.ts';
import { openStores } from '../open-stores.ts';
import { startProgress } from './progress.ts';

/** Redacts what is stored already, makes the search indexes anew, and says what changed. */
export async function redact({ json }: { readonly json: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const { stores, texts, indexes, close } = await openStores({
    ...config,
    neo4j: null,
    isReindexing: true,
  });
  const total = process.stderr.isTTY ? await texts.countRows() : 0;
  let bar = startProgress('redacting', 'rows', total);
  try {
    const { redactor, embedder } = stores;
    const counts = await redactStore({ texts, redactor }, ({ rows }) => bar.update(rows));
    bar.stop();
    // Always: one that was stopped half-way may have left the words of a secret in an index.
    bar = startProgress('reindexing', 'versions');
    await reindex({ indexes, embedder }, ({ versions }) => bar.update(versions));
    bar.stop();
    process.stdout.write(`${json ? JSON.stringify(counts) : describe(counts)}\n`);
  } finally {
    bar.stop();
    await close();
  }
}

function describe({ rows, changed, secrets }: RedactCounts): string {
  const kinds = Object.entries(secrets).map(([kind, count]) => `${count} ${kind}`);
  const places = Object.entries(changed).map(([place, count]) => `${count} of ${place}`);
  if (places.length === 0) return `${rows} rows, none with a secret`;
  return `${rows} rows, redacted ${places.join(', ')}: ${kinds.join(', ')}`;
}
