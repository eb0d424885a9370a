import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'causeway-folder-'));
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

test('refuses a file for a folder, and a folder in one, with what it expected and what came', async () => {
  const file = join(dataFolder, 'notes.txt');
  await writeFile(file, 'kept');

  await expect(openEmbedded({ dataFolder: file })).rejects.toMatchObject({
    code: 'DATA_FOLDER_UNUSABLE',
    message: `Expected the data folder ${file} to be a folder that can be written, but it is a file. Set CAUSEWAY_DATA to the path of another folder.`,
  });
  await expect(openEmbedded({ dataFolder: join(file, 'store') })).rejects.toMatchObject({
    code: 'DATA_FOLDER_UNUSABLE',
    message: expect.stringContaining('a part of its path is a file'),
  });
  expect(await readFile(file, 'utf8')).toBe('kept');
});
