import { readFileSync, writeFileSync } from 'node:fs';
import { EnvironmentSchema } from '../config.ts';
import { replaceSection, toMarkdownTable } from './markdown-table.ts';

// Writes the table of settings into the README from the schema of the environment. `--check` writes
// nothing and ends with 1 where it differs.

const README = new URL('../../README.md', import.meta.url);
const BEGIN = '<!-- settings: written by src/cli/print-settings.ts -->';
const END = '<!-- end of settings -->';

const settings = Object.entries(EnvironmentSchema.shape).map(([name, schema]) => {
  if (schema.description === undefined) throw new Error(`${name}: expected a description.`);
  const { data } = schema.safeParse(undefined);
  const value = data === undefined || data === null ? '' : String(data);
  return [`\`${name}\``, value === '' ? '' : `\`${value}\``, schema.description];
});
const readme = readFileSync(README, 'utf8');
const table = toMarkdownTable(['variable', 'default', 'what'], settings);
const made = replaceSection(readme, BEGIN, END, table);
if (!process.argv.includes('--check')) writeFileSync(README, made);
else if (made !== readme) {
  process.stderr.write(
    'README.md: the settings differ from the schema. Run `node src/cli/print-settings.ts`.\n',
  );
  process.exitCode = 1;
}
