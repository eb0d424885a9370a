import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../schema/index.ts';

const FILE = new URL('../../schema.graphql', import.meta.url);

/**
 * Prints the public schema to `schema.graphql`; with `--check` compares instead, and ends with 1 when
 * the file is not what the code says.
 */
const printed = `# Printed by \`npm run schema\`; never edited by hand.\n\n${printSchema(lexicographicSortSchema(schema))}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== printed) {
    process.stderr.write('schema.graphql differs from the code. Run `npm run schema`.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, printed);
}
