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
  'redacts what was stored before a pattern was there, and what comes after it',
  async () => {
    const file = await folder.write('notes.jsonl', [
      page('a', { body: 'The badge is zebra-4711.' }),
      page('b', { body: 'Nothing to see.' }),
    ]);
    const later = await folder.write('later.jsonl', [page('c', { body: 'Also zebra-4712.' })]);
    const patterns = await folder.write('patterns.txt', ['# staff', 'badge: zebra-\\d{4}']);
    const environment = { CAUSEWAY_REDACT_PATTERNS: patterns };
    await folder.importFile(file);

    const first = await folder.run(['redact', '--json'], 'store', environment);
    const second = await folder.run(['redact'], 'store', environment);
    await folder.run(['import', 'jsonl', later, '--project', 'notes'], 'store', environment);
    const content = JSON.stringify(await folder.readStore());

    expect(JSON.parse(first.stdout)).toMatchObject({
      changed: { page_version: 1 },
      secrets: { badge: 1 },
    });
    expect(second.stdout).toMatch(/^\d+ rows, none with a secret\n$/u);
    expect(content).not.toMatch(/zebra|471[12]/u);
    expect(content).toContain('Also [REDACTED:badge].');
  },
  SEVERAL_STARTS_MS,
);

test(
  'refuses a pattern that is none, and says in which line',
  async () => {
    const patterns = await folder.write('patterns.txt', ['fine', '(']);

    const { status, stderr } = await folder.run(['redact'], 'store', {
      CAUSEWAY_REDACT_PATTERNS: patterns,
    });

    expect(status).toBe(1);
    expect(stderr.join()).toContain('CAUSEWAY_REDACT_PATTERNS, line 2: expected a pattern');
  },
  SEVERAL_STARTS_MS,
);
