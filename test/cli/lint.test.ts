import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createImportFolder,
  type ImportFolder,
  page,
  SEVERAL_STARTS_MS,
} from '../support/import-folder.ts';

let folder: ImportFolder;

beforeEach(async () => {
  folder = await createImportFolder();
});
afterEach(() => folder.close());

test(
  'prints what wants mending and how, and ends with 1 only for warnings',
  async () => {
    const file = await folder.write('notes.jsonl', [
      page('a', { body: 'See [[missing]].' }),
      page('b', { body: 'Alone.' }),
    ]);
    await folder.importFile(file);

    const all = await folder.run(['lint', '--project', 'notes']);
    const json = await folder.run(['lint', '--project', 'notes', '--json']);
    const orphans = await folder.run(['lint', '--project', 'notes', '--rule', 'orphan-page']);
    const none = await folder.run([
      'lint',
      '--project',
      'notes',
      '--rule',
      'CAUSE_CYCLE',
      '--rule',
      'SIMILAR_TITLES',
    ]);

    expect(all.status).toBe(1);
    expect(all.stdout).toMatch(
      /^WARNING {2}DANGLING_LINK {2}"a" says REFERENCES of "missing", which is not there\.\n {9}Write "missing", .*\n/u,
    );
    expect(all.stdout).toContain('NOTICE   ORPHAN_PAGE  "b" is joined to no other page.\n');
    expect(all.stdout).toMatch(/\n2 findings\n$/u);
    expect(json.status).toBe(1);
    const lines = json.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { rule: 'DANGLING_LINK', severity: 'WARNING', pages: [{ path: 'a', project: 'notes' }] },
      { rule: 'ORPHAN_PAGE', severity: 'NOTICE', pages: [{ path: 'b' }] },
    ]);
    expect([orphans.status, none.status]).toEqual([0, 0]);
    expect(none.stdout).toBe('0 findings\n');
  },
  SEVERAL_STARTS_MS,
);

test(
  'refuses a rule and a project that are not there, each by name',
  async () => {
    const rule = await folder.run(['lint', '--project', 'notes', '--rule', 'TYPOS']);
    const project = await folder.run(['lint', '--project', 'notes']);

    expect([rule.status, project.status]).toEqual([1, 1]);
    expect(rule.stderr.join('\n')).toContain('--rule: expected one of UNRESOLVED_CONTRADICTION,');
    expect(project.stderr.join('\n')).toContain(
      '--project: expected the name of a project that is there, but got notes.',
    );
  },
  SEVERAL_STARTS_MS,
);
