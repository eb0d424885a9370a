import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChatServer, status } from '../support/chat-server.ts';
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

test(
  'looks at the endpoint of the language model, and never shows the key',
  async () => {
    const server = await startChatServer();
    const environment = {
      CAUSEWAY_MODEL_URL: server.url,
      CAUSEWAY_MODEL: 'small',
      CAUSEWAY_MODEL_KEY: 'key-that-nobody-may-see',
    };
    server.answerWith(status(200, '{"data":[]}'));
    const well = await folder.run(['doctor'], 'store', environment);
    server.answerWith(status(401));
    const refused = await folder.run(['doctor'], 'store', environment);
    await server.close();

    expect([well.status, refused.status]).toEqual([0, 1]);
    expect(well.stdout).toContain(
      'ok    language model: its endpoint answers; small will be asked',
    );
    expect(refused.stdout).toContain('FAULT language model: Expected an answer from the model');
    expect(well.stdout + refused.stdout).not.toContain('key-that-nobody-may-see');
  },
  SEVERAL_STARTS_MS,
);
