import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChatServer, saying, startChatServer, status } from '../support/chat-server.ts';
import {
  createImportFolder,
  type ImportFolder,
  page,
  SEVERAL_STARTS_MS,
} from '../support/import-folder.ts';

const KEY = 'key-that-nobody-may-see';

let folder: ImportFolder;
let server: ChatServer;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  folder = await createImportFolder();
  server = await startChatServer();
  environment = {
    CAUSEWAY_MODEL_URL: server.url,
    CAUSEWAY_MODEL: 'small',
    CAUSEWAY_MODEL_KEY: KEY,
  };
});
afterEach(async () => {
  await folder.close();
  await server.close();
});

async function seed(): Promise<void> {
  const file = await folder.write('notes.jsonl', [
    page('sessions/1', { kind: 'SESSION', body: 'Deploy from main.' }),
  ]);
  await folder.importFile(file);
}

const reflect = (...more: string[]) =>
  folder.run(['reflect', '--project', 'notes', ...more], 'store', environment);

test(
  'asks the configured model, says what became of each answer, and asks nothing the next time',
  async () => {
    await seed();
    const answer = { path: null, title: 'Deploying', kind: 'RULE', body: 'From main.' };
    server.answerWith(
      saying(
        JSON.stringify({
          answers: [
            { ...answer, sources: ['sessions/1', 'sessions/2'] },
            { ...answer, title: 'Nothing', sources: [] },
          ],
        }),
      ),
    );

    const first = await reflect();
    const second = await reflect('--json');
    const { pages } = await folder.readStore();

    expect(first.stderr).toEqual([]);
    expect(first.stdout).toBe(
      [
        'WRITTEN     standing/deploying: It rests on 1 session.',
        'REFUSED     no page: It names no session of sensitivity INTERNAL that the model was shown.',
        '1 written, 0 unchanged, 0 kept as somebody else wrote them, 1 refused; sources dropped: 1',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(second.stdout)).toMatchObject({ asked: false, written: 0 });
    expect(server.requests).toHaveLength(1);
    expect(pages.map(({ path }) => path)).toEqual(['sessions/1', 'standing/deploying']);
  },
  SEVERAL_STARTS_MS,
);

test(
  'ends with 1 and a reason without a model, with half of one, and when it fails; never with the key',
  async () => {
    await seed();
    server.answerWith(status(401, `incorrect key ${KEY}`));

    const none = await folder.run(['reflect', '--project', 'notes']);
    const half = await folder.run(['reflect', '--project', 'notes'], 'store', {
      CAUSEWAY_MODEL_URL: server.url,
    });
    const refused = await reflect();

    const ended = [none, half, refused];
    expect(ended.map((each) => each.status)).toEqual([1, 1, 1]);
    expect(none.stderr.join()).toContain('Expected a language model to ask');
    expect(half.stderr).toEqual([
      'CAUSEWAY_MODEL: expected a value beside CAUSEWAY_MODEL_URL, but got none.',
    ]);
    expect(refused.stderr).toEqual([
      'Expected an answer from the model, but got status 401. Look at CAUSEWAY_MODEL_KEY.',
    ]);
    expect(JSON.stringify(ended)).not.toContain(KEY);
  },
  SEVERAL_STARTS_MS,
);
