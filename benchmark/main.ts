import { parseArgs } from 'node:util';
import { measureEmbedded } from './embedded/suite.ts';
import { measureTraversal } from './traversal/suite.ts';

const USAGE = `Usage: npm run bench -- SUITE --data FILE.jsonl[.gz] [--keep RESULT.json]
  embedded    the embedded profile over HTTP
  traversal   the server profile (DATABASE_URL, NEO4J_URI) against the bare driver and the ledger;
              --edges N for a generated graph too (1,000,000 when left out, 0 for none)
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    keep: { type: 'string' },
    edges: { type: 'string', default: '1000000' },
  },
});

if (positionals[0] === 'embedded' && values.data !== undefined) {
  await measureEmbedded({ data: values.data, keep: values.keep ?? null });
} else if (positionals[0] === 'traversal' && values.data !== undefined) {
  const { data, edges, keep = null } = values;
  await measureTraversal({ data, edges: Number(edges), keep });
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
