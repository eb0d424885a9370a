import { parseArgs } from 'node:util';
import { measureEmbedded } from './embedded/suite.ts';

const USAGE = 'Usage: npm run bench -- embedded --data FILE.jsonl[.gz] [--keep RESULT.json]\n';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, keep: { type: 'string' } },
});

if (positionals[0] === 'embedded' && values.data !== undefined) {
  await measureEmbedded({ data: values.data, keep: values.keep ?? null });
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
