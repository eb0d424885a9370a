import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createImportFolder,
  edge,
  type ImportFolder,
  page,
  SEVERAL_STARTS_MS,
  waitFor,
} from '../support/import-folder.ts';

const LOCK_HOLDER = fileURLToPath(new URL('../support/lock-holder.ts', import.meta.url));

let folder: ImportFolder;

beforeEach(async () => {
  folder = await createImportFolder();
});

afterEach(() => folder.close());

test(
  'reports every faulty line, writes the others, ends with 1, and changes nothing the second time',
  async () => {
    const file = await folder.write('mixed.jsonl', [
      page('a', { title: 'first', at: '2026-03-01T10:00:00Z' }),
      '{"type":"page",',
      '[1, 2]',
      '{"type":"pge","key":"x","title":"X"}',
      '{"type":"page","title":"no key"}',
      page('b', { title: 7 }),
      page('b', { title: 't'.repeat(301) }),
      page('b', { body: '\ud83d' }),
      page('b', { body: 'x'.repeat(9_000_000) }),
      page('/b'),
      '',
      edge('a', 'LIKES', 'c'),
      edge('a', 'CAUSES', 'a'),
      edge('a', 'CAUSES', 'c'),
      page('c', { title: 'last', body: 'see [[a]]' }),
    ]);

    const first = await folder.importFile(file, { json: true });
    const content = await folder.readStore();
    const second = await folder.importFile(file);

    expect(first.status).toBe(1);
    expect(first.stderr.map((line) => line.split(' ').slice(0, 3).join(' ')).sort()).toEqual([
      'line 10: key:',
      'line 12: kind:',
      'line 13: to:',
      'line 2: line:',
      'line 3: line:',
      'line 4: type:',
      'line 5: key:',
      'line 6: title:',
      'line 7: title:',
      'line 8: body:',
      'line 9: line:',
    ]);
    expect(JSON.parse(first.stdout)).toEqual({
      lines: 14,
      pages: { CREATED: 2, REVISED: 0, RECONSOLIDATED: 0 },
      edges: { linked: 1, existing: 0, waiting: 0 },
      otherKinds: { pages: 0, kinds: [] },
      faults: 11,
    });
    expect(content.pages).toMatchObject([
      { project: 'notes', path: 'a', title: 'first' },
      { project: 'notes', path: 'c', title: 'last' },
    ]);
    expect(content.edges).toMatchObject([
      { from: 'a', kind: 'CAUSES', to: 'c', active: true },
      { from: 'c', kind: 'REFERENCES', to: 'a', active: true },
    ]);

    expect(second).toEqual({
      status: 1,
      stderr: first.stderr,
      stdout: [
        '14 lines',
        'pages: 0 created, 0 revised, 2 unchanged',
        'edges: 0 linked, 1 there already, 0 waiting for a page',
        '11 lines did not go in',
        '',
      ].join('\n'),
    });
    expect(await folder.readStore()).toEqual(content);
  },
  SEVERAL_STARTS_MS,
);

test(
  'tells of kinds of pages that are none of ours, each with its first line',
  async () => {
    const file = await folder.write('kinds.jsonl', [
      page('a', { kind: 'decision' }),
      page('b', { kind: 'DECISON' }),
      page('c', { kind: 'commit' }),
      page('d', { kind: 'commit' }),
    ]);

    const { status, stdout } = await folder.importFile(file);

    expect(status).toBe(0);
    expect(stdout).toContain(
      '3 pages became NOTE, with their own kind as an attribute: DECISON (1, first in line 2), commit (2, first in line 3)\n',
    );
  },
  SEVERAL_STARTS_MS,
);

test(
  'lets an edge wait for a page that comes in a later, packed file',
  async () => {
    const earlier = await folder.write('earlier.jsonl', [
      page('a', { body: 'fixes:: [[c]]' }),
      edge('a', 'CAUSES', 'b', { note: 'as seen', at: '2026-03-01T10:00:00Z' }),
      edge('b', 'CONTRADICTS', 'c'),
      edge('a', 'CAUSES', 'never'),
    ]);
    const later = await folder.write('later.jsonl.gz', [page('b'), page('c')]);

    const first = await folder.importFile(earlier, { project: 'caf\u00e9' });
    // The same project, as another keyboard spells it.
    const second = await folder.importFile(later, { project: 'cafe\u0301' });
    const after = await folder.readStore();

    expect([first.status, second.status]).toEqual([0, 0]);
    expect(first.stdout).toContain('edges: 0 linked, 0 there already, 3 waiting for a page');
    expect(after.edges).toMatchObject([
      {
        from: 'a',
        kind: 'CAUSES',
        to: 'b',
        note: 'as seen',
        valid_from: Date.UTC(2026, 2, 1, 10),
        in_body: false,
        asserted: true,
      },
      { from: 'a', kind: 'FIXES', to: 'c', in_body: true, asserted: false },
      { from: 'b', kind: 'CONTRADICTS', to: 'c', in_body: false, asserted: true },
    ]);
    expect(after.waiting).toMatchObject([{ from: 'a', kind: 'CAUSES', to: 'never' }]);
  },
  SEVERAL_STARTS_MS,
);

test('tells a store that another process holds, and ends with 1', async () => {
  const file = await folder.write('a.jsonl', [page('a')]);
  const holder = folder.start(LOCK_HOLDER, [folder.path]);
  await waitFor(holder, 'stdout', 'locked');

  const { status, stderr, stdout } = await folder.importFile(file, { store: '.' });

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toEqual([expect.stringContaining(`is in use by process ${holder.pid} on `)]);
});

test('tells a file that cannot be read in one line, and makes no store for it', async () => {
  const broken = join(folder.path, 'plain.jsonl.gz');
  await writeFile(broken, page('a'));
  const cases = [
    [join(folder.path, 'missing.jsonl'), 'there is none'],
    [folder.path, 'it is a folder'],
    [broken, 'it is no gzip file, or a damaged one'],
  ] as const;

  for (const [file, reason] of cases) {
    expect(await folder.importFile(file)).toEqual({
      status: 1,
      stderr: [`Expected a file that can be read at ${file}, but ${reason}.`],
      stdout: '',
    });
  }
  expect(existsSync(join(folder.path, 'store'))).toBe(false);
});

test('asks for the project when there is none', async () => {
  const file = await folder.write('a.jsonl', [page('a')]);

  const { status, stderr } = await folder.run(['import', 'jsonl', file]);

  expect(status).toBe(1);
  expect(stderr[0]).toBe("error: required option '--project <name>' not specified");
  expect(stderr.join('\n')).not.toContain('    at ');
});
