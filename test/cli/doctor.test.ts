import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createImportFolder,
  type ImportFolder,
  SEVERAL_STARTS_MS,
} from '../support/import-folder.ts';

let folder: ImportFolder;

beforeEach(async () => {
  folder = await createImportFolder();
});
afterEach(() => folder.close());

test(
  'says what is in the way of the data folder',
  async () => {
    const file = await folder.write('store', ['no folder']);

    const atIt = await folder.run(['doctor', '--json']);
    const inIt = await folder.run(['doctor'], 'store/deeper');

    expect(atIt.status).toBe(1);
    expect(JSON.parse(atIt.stdout)).toContainEqual({
      what: 'embedded store',
      found: `${file} can't be used: it is a file`,
      mend: 'Make it a folder that this user may write, or set CAUSEWAY_DATA to another one.',
    });
    expect(inIt.stdout).toContain(`${file}/deeper can't be used: a part of its path is a file`);
  },
  SEVERAL_STARTS_MS,
);
