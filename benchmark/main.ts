import { existsSync, globSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureAccess } from './access/suite.ts';
import { measureEmbedded } from './embedded/suite.ts';
import { measurePrepared } from './prepared/suite.ts';
import { DataFileError } from './recall/neutral-format.ts';
import { STORES } from './recall/open-store.ts';
import { UnknownProfileError } from './recall/rankers.ts';
import { measureRecall } from './recall/suite.ts';
import { measureTraversal } from './traversal/suite.ts';

const RECALL = new URL('./recall/', import.meta.url).pathname;

const USAGE = `Usage: npm run bench -- SUITE [OPTIONS]
  embedded    the embedded profile over HTTP: --data FILE.jsonl[.gz]
  access      what authentication and row-level security cost: embedded, or on DATABASE_URL
  traversal   the server profile (DATABASE_URL, NEO4J_URI) against the bare driver and the ledger:
              --data FILE.jsonl[.gz]; --edges N for a generated graph too (1,000,000 when left out,
              0 for none)
  recall      what is found: --suite NAME for a set of the project, --all for each of them, or
              --data FILE.json or FOLDER in the neutral format; --profile NAME,… compares with the
               first; --compare A B is the same for two; --store embedded (when left out) or server
               (DATABASE_URL); --json prints the report
   prepared    prepared queries: what they save, the cache, and narrowing
  --keep RESULT.json   also writes the result there
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    keep: { type: 'string' },
    edges: { type: 'string', default: '1000000' },
    suite: { type: 'string' },
    all: { type: 'boolean', default: false },
    profile: { type: 'string' },
    compare: { type: 'string' },
    store: { type: 'string', default: 'embedded' },
    json: { type: 'boolean', default: false },
  },
});
const { data, keep = null, edges, suite, all, json } = values;
const [suiteName, other, ...surplus] = positionals;
// Beside the name of the suite only `--compare A B` takes a second word.
const isComplete = surplus.length === 0 && (values.compare === undefined) === (other === undefined);
const profiles =
  values.compare !== undefined && other !== undefined
    ? [values.compare, other]
    : (values.profile?.split(',') ?? []);
const store = STORES.find((each) => each === values.store);

if (store === undefined || !isComplete) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (suiteName === 'access') {
  await measureAccess({ keep });
} else if (suiteName === 'embedded' && data !== undefined) {
  await measureEmbedded({ data, keep });
} else if (suiteName === 'traversal' && data !== undefined) {
  await measureTraversal({ data, edges: Number(edges), keep });
} else if (suiteName === 'prepared') {
  await measurePrepared({ keep });
} else if (suiteName === 'recall' && (all || suite !== undefined || data !== undefined)) {
  try {
    if (data !== undefined)
      await measureRecall({ files: filesOf(data), profiles, store, keep, json });
    for (const name of all ? suiteNames() : suite === undefined ? [] : [suite]) {
      process.stdout.write(json ? '' : `\n${name}\n\n`);
      await measureRecall({
        files: [`${RECALL}data/${name}.json`],
        profiles,
        store,
        keep: keep ?? `${RECALL}reports/${name}.json`,
        json,
      });
    }
  } catch (error) {
    if (!(error instanceof DataFileError || error instanceof UnknownProfileError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}

function suiteNames(): readonly string[] {
  return globSync(`${RECALL}data/*.json`)
    .map((file) => file.slice(`${RECALL}data/`.length, -'.json'.length))
    .sort();
}

/** One file, or all of a folder. */
function filesOf(path: string): readonly string[] {
  if (!existsSync(path))
    throw new DataFileError(`${path}: expected a file or a folder, found none`);
  return statSync(path).isDirectory() ? globSync(`${path}/*.json`).sort() : [path];
}
