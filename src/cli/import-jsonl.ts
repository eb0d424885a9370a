import { stat } from 'node:fs/promises';
import { readConfig } from '../config.ts';
import { type ImportCounts, importLines } from '../importing/import-lines.ts';
import { type NumberedLine, readJsonLines } from '../importing/jsonl.ts';
import { createAccess } from '../memory/access.ts';
import { LOCAL_PRINCIPAL } from '../memory/principal.ts';
import { openStores } from '../open-stores.ts';
import { findOrCreateProject } from './find-or-create-project.ts';
import { startProgress } from './progress.ts';

export type ImportOptions = { readonly project: string; readonly json: boolean };

/** Ends with 1 when some line did not go in. */
export async function importFile(
  file: string,
  { project: name, json }: ImportOptions,
): Promise<void> {
  const config = readConfig(process.env);
  const read = await startReading(file);
  const { stores, close } = await openStores({ ...config, neo4j: null });
  const total = process.stderr.isTTY ? await countLines(file) : 0;
  const bar = startProgress('importing', 'lines', total);
  try {
    const project = await findOrCreateProject(stores, name);
    let lines = 0;
    const { caller } = await createAccess(stores, LOCAL_PRINCIPAL).toWrite();
    const counts = await importLines(stores, caller, project, read, {
      fault: ({ line, reason }) => process.stderr.write(`line ${line}: ${reason}\n`),
      progress: () => {
        lines += 1;
        bar.update(lines);
      },
    });
    bar.stop();
    process.stdout.write(json ? `${JSON.stringify(counts)}\n` : describe(counts));
    if (counts.faults > 0) process.exitCode = 1;
  } finally {
    bar.stop();
    await close();
  }
}

/** Reads the first line at once: a file that cannot be read is told before a store is made for it. */
async function startReading(file: string): Promise<AsyncIterable<NumberedLine>> {
  const lines = readJsonLines(file);
  const first = await lines.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* lines;
  })();
}

/** For the bar; 0 for what can be read only once, such as a pipe. */
async function countLines(file: string): Promise<number> {
  if (!(await stat(file)).isFile()) return 0;
  let count = 0;
  for await (const _line of readJsonLines(file)) count += 1;
  return count;
}

function describe({ lines, pages, edges, otherKinds, faults }: ImportCounts): string {
  return [
    `${lines} lines`,
    `pages: ${pages.CREATED} created, ${pages.REVISED} revised, ${pages.RECONSOLIDATED} unchanged`,
    `edges: ${edges.linked} linked, ${edges.existing} there already, ${edges.waiting} waiting for a page`,
    ...describeKinds(otherKinds),
    `${faults} lines did not go in`,
    '',
  ].join('\n');
}

function describeKinds({ pages, kinds }: ImportCounts['otherKinds']): readonly string[] {
  if (pages === 0) return [];
  const listed = kinds.map((each) => `${each.kind} (${each.pages}, first in line ${each.line})`);
  const rest = pages - kinds.reduce((sum, each) => sum + each.pages, 0);
  const all = rest === 0 ? listed : [...listed, `others (${rest})`];
  return [`${pages} pages became NOTE, with their own kind as an attribute: ${all.join(', ')}`];
}
