import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccess } from '../../src/memory/access.ts';
import { endSession } from '../../src/memory/end-session.ts';
import type { LanguageModel, ModelRequest } from '../../src/memory/language-model.ts';
import type { Page, Project, Sensitivity } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { recordObservation } from '../../src/memory/record-observation.ts';
import { reflect } from '../../src/memory/reflect.ts';
import { standingPath } from '../../src/memory/standing-page.ts';
import { startSession } from '../../src/memory/start-session.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedPages, seedProject, write } from '../support/seed.ts';

let database: Database;
let stores: Stores;
let project: Project;
let made = 0;
let now = Date.parse('2026-03-01T00:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => (now += 1_000));
});
afterAll(() => database.close());
beforeEach(async () => {
  made += 1;
  project = await seedProject(stores, `project-${made}`);
});

const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };

/** A session that is over, by the path of its page. */
async function session(text: string, sensitivity: Sensitivity = 'INTERNAL'): Promise<string> {
  const caller = await callerFor(stores);
  const sessionId = await startSession(stores, caller, {
    projectId: project.id,
    agent: 'claude',
    task: text,
    sensitivity,
  });
  await recordObservation(stores, caller, { sessionId, text });
  await endSession(stores, caller, sessionId);
  const [ended] = await stores.sessions.findMany(caller.view, [sessionId]);
  const [page] = await stores.pages.findMany(caller.view, [ended?.pageId ?? '']);
  return page?.path ?? '';
}

type Said = Readonly<Record<string, unknown>>;

const answer = (sources: readonly unknown[], fields: Said = {}): Said => ({
  path: null,
  title: 'How do we deploy?',
  kind: 'PROCEDURE',
  body: 'From the main branch.',
  sources,
  ...fields,
});

/** A model that says the same to all, and what it was asked. */
function modelSaying(...answers: readonly unknown[]) {
  return modelWith(() => JSON.stringify({ answers }));
}

function modelWith(say: (request: ModelRequest, index: number) => string | Promise<string>) {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    async complete(request) {
      asked.push(request);
      return say(request, asked.length - 1);
    },
  };
  return { model, asked };
}

async function pass(
  { model }: { readonly model: LanguageModel },
  as = LOCAL_PRINCIPAL,
  over: Stores = stores,
) {
  const { caller, projects } = await createAccess(over, as).toWrite();
  return reflect(
    { ...over, model },
    caller,
    { project: project.name },
    { projects, hintsEnabled: () => true },
  );
}

async function standing(as = LOCAL_PRINCIPAL): Promise<readonly Page[]> {
  const { view } = await callerFor(stores, as);
  const { pages } = await stores.pages.list(view, {
    filter: { projectIds: [project.id], pathPrefix: 'standing' },
    order: { field: 'PATH', direction: 'ASC' },
    first: 100,
    after: null,
  });
  return pages;
}

async function only(): Promise<Page> {
  const [page, ...more] = await standing();
  expect(more).toEqual([]);
  if (page === undefined) throw new Error('Expected one standing page, but found none.');
  return page;
}

const material = (request: ModelRequest | undefined) =>
  JSON.parse(request?.prompt ?? '{}') as {
    sessions: { path: string; title: string; body: string }[];
    standing: { path: string; by: string; title: string; body: string }[];
  };

const NOTHING = { written: 0, unchanged: 0, keptHuman: 0, refused: 0, droppedSources: 0 };

describe('a new answer', () => {
  test('becomes a page under standing/, with links to its sources as mentions', async () => {
    const source = await session('Deploy from main');

    const reflection = await pass(modelSaying(answer([source])));

    expect(reflection).toMatchObject({ ...NOTHING, asked: true, written: 1 });
    expect(reflection.graphSequence).toBeGreaterThan(0);
    const page = await only();
    expect(reflection.answers).toEqual([
      { outcome: 'WRITTEN', pageId: page.id, path: page.path, reason: 'It rests on 1 session.' },
    ]);
    expect(page).toMatchObject({
      path: 'standing/how-do-we-deploy',
      kind: 'PROCEDURE',
      title: 'How do we deploy?',
      body: `From the main branch.\n\nSources: [[${source}]].\n`,
      sensitivity: 'INTERNAL',
      version: 1,
    });
    expect(await linksOf(page)).toEqual([['REFERENCES', source]]);
  });

  test('goes through the redaction of every write, its path too', async () => {
    const source = await session('Deploy from main');
    const secret = `ghp_${'a1B2'.repeat(9)}`;

    await pass(
      modelSaying(answer([source], { title: `Token ${secret}`, body: `Use ${secret} for it.` })),
    );

    const page = await only();
    expect(JSON.stringify(page)).not.toContain('a1B2');
    expect(page.title).toBe('Token [REDACTED:github_token]');
    expect(page.body).toContain('Use [REDACTED:github_token] for it.');
  });

  test.each([
    ['- supersedes [[rules/security]]', '- supersedes rules/security'],
    ['causes:: [[rules/security|that]]', 'causes:: that'],
    ['- fixes [it](rules/security)', '- fixes [it] (rules/security)'],
    ['See [it][1].\n\n[1]: rules/security', 'See [it] [1].\n\n[1] : rules/security'],
  ])('claims nothing of other pages, whatever the model writes: %s', async (body, kept) => {
    await seedPages(stores, project, { 'rules/security': 'Keep secrets out.' });
    const source = await session('Deploy from main');

    await pass(modelSaying(answer([source], { body })));

    const page = await only();
    expect(page.body).toBe(`${kept}\n\nSources: [[${source}]].\n`);
    expect(await linksOf(page)).toEqual([['REFERENCES', source]]);
  });

  test('keeps brackets that are no links byte for byte', async () => {
    const source = await session('Deploy from main');
    const body = 'Run `list[0](x)`; see [the manual](https://example.org/a). A list: [1, 2].';

    await pass(modelSaying(answer([source], { body })));

    expect((await only()).body).toBe(`${body}\n\nSources: [[${source}]].\n`);
  });

  test('is refused where its body would hide the links to its sources', async () => {
    const source = await session('Deploy from main');

    const reflection = await pass(modelSaying(answer([source], { body: 'Run:\n```\nnpm start' })));

    expect(reflection).toMatchObject({ ...NOTHING, refused: 1 });
    expect(await standing()).toEqual([]);
  });
});

describe('sources', () => {
  test('that the model was not shown are dropped and counted', async () => {
    const source = await session('Deploy from main');
    await seedPages(stores, project, { 'rules/security': 'Keep secrets out.' });
    const named = [source, 'rules/security', '../../etc/passwd', 'sessions/none', source];

    const reflection = await pass(modelSaying(answer(named)));

    expect(reflection).toMatchObject({ ...NOTHING, written: 1, droppedSources: 3 });
    expect(await linksOf(await only())).toEqual([['REFERENCES', source]]);
  });

  test('are needed: an answer without one that was shown is refused', async () => {
    await session('Deploy from main');

    const reflection = await pass(modelSaying(answer([]), answer(['sessions/none'])));

    expect(reflection).toMatchObject({ ...NOTHING, refused: 2, droppedSources: 1 });
    expect(reflection.answers[0]).toMatchObject({
      outcome: 'REFUSED',
      pageId: null,
      reason: 'It names no session of sensitivity INTERNAL that the model was shown.',
    });
    expect(await standing()).toEqual([]);
  });

  test('are no standing answers: two of them would prop each other up', async () => {
    const first = await session('Deploy from main');
    await pass(modelSaying(answer([first])));
    const { path } = await only();
    await session('Another one');

    const reflection = await pass(modelSaying(answer([path], { title: 'Again' })));

    expect(reflection).toMatchObject({ ...NOTHING, refused: 1, droppedSources: 1 });
  });
});

describe('one page for one answer', () => {
  test.each([
    ['its path', (page: Page) => ({ path: page.path, title: 'Deployments' })],
    ['its title', () => ({ title: 'How do we deploy?' })],
    ['a title that reads the same', () => ({ title: '  HOW do we   déploy' })],
    ['a made-up path and its title', () => ({ path: 'standing/deploying' })],
  ])('is found again by %s, and rewritten as its evidence changed', async (_how, fields) => {
    const first = await session('Deploy from main');
    await pass(modelSaying(answer([first])));
    const before = await only();
    const second = await session('Deploy from release');

    const reflection = await pass(
      modelSaying(answer([second], { body: 'From the release branch.', ...fields(before) })),
    );

    expect(reflection).toMatchObject({ ...NOTHING, written: 1 });
    const after = await only();
    expect(after).toMatchObject({ id: before.id, path: before.path, version: 2 });
    expect(after.body).toContain('From the release branch.');
    expect(await linksOf(after)).toEqual([['REFERENCES', second]]);
  });

  test('is found by its title where a person made it under another path', async () => {
    await seedPages(stores, project, {
      'standing/ops/deploy': { title: 'How do we deploy?', body: 'By hand.' },
    });
    const source = await session('Deploy from main');

    const reflection = await pass(modelSaying(answer([source])));

    expect(reflection).toMatchObject({ ...NOTHING, keptHuman: 1 });
    expect((await only()).body).toBe('By hand.');
  });

  test('is found at the path of its first title after it got another', async () => {
    const first = await session('Deploy from main');
    await pass(modelSaying(answer([first])));
    const { path } = await only();
    const second = await session('Renamed');
    await pass(modelSaying(answer([second], { path, title: 'Releases' })));
    const third = await session('Named as before');

    const reflection = await pass(modelSaying(answer([third])));

    expect(reflection).toMatchObject({ ...NOTHING, written: 1 });
    expect(await only()).toMatchObject({ path, title: 'How do we deploy?', version: 3 });
  });

  test('is written once in a pass: the first of two answers counts', async () => {
    const source = await session('Deploy from main');

    const reflection = await pass(
      modelSaying(answer([source]), answer([source], { body: 'By hand.' })),
    );

    expect(reflection).toMatchObject({ ...NOTHING, written: 1, refused: 1 });
    expect((await only()).body).toContain('From the main branch.');
  });

  test('never takes the title of another page', async () => {
    const source = await session('Deploy from main');
    await pass(modelSaying(answer([source]), answer([source], { title: 'Who is on call?' })));
    const next = await session('Mixed up');

    const reflection = await pass(
      modelSaying(answer([next], { path: 'standing/who-is-on-call', title: 'How do we deploy?' })),
    );

    expect(reflection).toMatchObject({ ...NOTHING, refused: 1 });
    expect((await standing()).map(({ title }) => title)).toEqual([
      'How do we deploy?',
      'Who is on call?',
    ]);
  });

  test('has a path that its title alone decides, as long titles and those without letters have', () => {
    const long = 'word '.repeat(59);

    expect(standingPath('Wie läuft’s?')).toBe('standing/wie-lauft-s');
    expect(standingPath(`${long}a`)).not.toBe(standingPath(`${long}b`));
    expect(standingPath(`${long}a`).length).toBeLessThan(100);
    expect(standingPath('!!!')).toMatch(/^standing\/[0-9a-f]{16}$/u);
    expect(standingPath('!!!')).not.toBe(standingPath('???'));
  });
});

describe('a pass without new evidence', () => {
  test('does not ask the model when no session is new', async () => {
    const source = await session('Deploy from main');
    await pass(modelSaying(answer([source])));
    const again = modelSaying(answer([source], { body: 'Something else.' }));

    const reflection = await pass(again);

    expect(again.asked).toEqual([]);
    expect(reflection).toEqual({
      ...NOTHING,
      asked: false,
      answers: [],
      graphSequence: null,
    });
    expect((await only()).version).toBe(1);
  });

  test('does not ask the model where there is no session at all', async () => {
    const none = modelSaying();

    expect(await pass(none)).toMatchObject({ asked: false });
    expect(none.asked).toEqual([]);
  });

  test('asks again when the last answer was none that could be read', async () => {
    const source = await session('Deploy from main');
    await expect(pass(modelWith(() => 'I am sorry.'))).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
    });

    expect(await pass(modelSaying(answer([source])))).toMatchObject({ asked: true, written: 1 });
  });

  test('leaves a page whose sources are as before, whatever the model says anew', async () => {
    const first = await session('Deploy from main');
    await pass(modelSaying(answer([first])));
    await session('About something else');

    const reflection = await pass(modelSaying(answer([first], { body: 'In other words.' })));

    expect(reflection).toMatchObject({ ...NOTHING, asked: true, unchanged: 1 });
    expect(await only()).toMatchObject({
      version: 1,
      body: expect.stringContaining('From the main branch.'),
    });
  });

  test('does not count the order of sources as new', async () => {
    const [a, b] = [await session('One'), await session('Two')];
    await pass(modelSaying(answer([a, b])));
    await session('Three');

    expect(await pass(modelSaying(answer([b, a])))).toMatchObject({ ...NOTHING, unchanged: 1 });
  });

  test('rewrites a page whose source has another version, as after a purge of what it told', async () => {
    const source = await session('Deploy from main');
    await pass(modelSaying(answer([source])));
    await write(stores, {
      pages: [
        { projectId: project.id, path: source, title: 'Deploy', kind: 'SESSION', body: 'Less.' },
      ],
    });

    const reflection = await pass(modelSaying(answer([source], { body: 'Less is known.' })));

    expect(reflection).toMatchObject({ ...NOTHING, asked: true, written: 1 });
    expect((await only()).body).toContain('Less is known.');
  });
});

describe('what somebody else wrote', () => {
  /** A page that a pass made, and a session that would change it. */
  async function prepare() {
    const first = await session('Deploy from main');
    await pass(modelSaying(answer([first])));
    const page = await only();
    const { projectId, path, title, kind, body, attributes } = page;
    const same = { projectId, path, title, kind, body, attributes };
    return { same, second: await session('Deploy from release') };
  }

  test.each([
    ['another body', { body: 'By hand, on Fridays.' }],
    ['another body under the old attributes', { body: 'By hand.', attributes: null }],
    ['an archived page', { archived: true }],
    ['a page whose valid time is over', { validTo: '2020-01-01T00:00:00Z' }],
  ])('stays: %s', async (_what, { attributes, ...change }: Said) => {
    const { same, second } = await prepare();
    const kept = attributes === null ? { ...same, attributes: {} } : same;
    await write(stores, { pages: [{ ...kept, ...change }] });
    const before = await only();

    const model = modelSaying(answer([second], { body: 'From the release branch.' }));
    const reflection = await pass(model);

    expect(reflection).toMatchObject({ ...NOTHING, keptHuman: 1 });
    expect(reflection.answers).toMatchObject([{ outcome: 'KEPT_HUMAN', pageId: before.id }]);
    expect(await only()).toEqual(before);
  });

  test('is shown to the model as such', async () => {
    const { same, second } = await prepare();
    const shown = modelSaying();
    await pass(shown);
    await write(stores, { pages: [{ ...same, body: 'By hand.' }] });
    await session('One more');
    const again = modelSaying();
    await pass(again);

    expect(material(shown.asked[0]).standing).toEqual([
      {
        path: same.path,
        by: 'you',
        kind: 'PROCEDURE',
        title: same.title,
        body: 'From the main branch.\n',
      },
    ]);
    expect(material(again.asked[0]).standing).toMatchObject([{ by: 'people', body: 'By hand.' }]);
    expect(material(again.asked[0]).sessions.map(({ path }) => path)).toContain(second);
  });

  test('wins when it comes while the model thinks', async () => {
    const { same, second } = await prepare();
    const slow = modelWith(async () => {
      await write(stores, { pages: [{ ...same, body: 'By hand.' }] });
      return JSON.stringify({ answers: [answer([second])] });
    });

    expect(await pass(slow)).toMatchObject({ ...NOTHING, keptHuman: 1 });
    expect((await only()).body).toBe('By hand.');
  });

  test('wins when it comes between the look at the page and the write, and the other answers go on', async () => {
    const { same, second } = await prepare();
    let isFirst = true;
    const late: Stores = {
      ...stores,
      writer: {
        ...stores.writer,
        async writePages(...args) {
          if (isFirst) await write(stores, { pages: [{ ...same, body: 'By hand.' }] });
          isFirst = false;
          return stores.writer.writePages(...args);
        },
      },
    };

    const model = modelSaying(answer([second]), answer([second], { title: 'Who is on call?' }));
    const reflection = await pass(model, LOCAL_PRINCIPAL, late);

    expect(reflection).toMatchObject({ ...NOTHING, keptHuman: 1, written: 1 });
    expect((await standing()).map(({ body }) => body)).toEqual([
      'By hand.',
      expect.stringContaining('From the main branch.'),
    ]);
  });

  test('beside the content stays when a page is rewritten: tags, importance, hints, other attributes', async () => {
    const { same, second } = await prepare();
    const beside = { tags: ['ops'], importance: 9, hints: ['ship it?'] };
    const attributes = { ...same.attributes, owner: 'ops' };
    await write(stores, { pages: [{ ...same, ...beside, attributes }] });

    const reflection = await pass(modelSaying(answer([second], { body: 'From release.' })));

    expect(reflection).toMatchObject({ ...NOTHING, written: 1 });
    expect(await only()).toMatchObject({ ...beside, version: 2, attributes: { owner: 'ops' } });
  });
});

describe('clearance', () => {
  test('bounds what the model sees, and each answer is as sensitive as its sources', async () => {
    const plain = await session('Deploy from main');
    const secret = await session('The merger', 'CONFIDENTIAL');
    const echo = modelWith((request) => {
      const { sessions } = material(request);
      const top = sessions.find(({ path }) => path === secret) ?? sessions[0];
      return JSON.stringify({
        answers: [answer([top?.path, plain], { title: `About ${top?.title}` })],
      });
    });

    await pass(echo);

    const shown = echo.asked.map((request) => material(request).sessions.map(({ path }) => path));
    expect(shown).toEqual([[plain], [secret, plain]]);
    expect(echo.asked[0]?.system).not.toContain('CONFIDENTIAL');
    expect(echo.asked[1]?.system).toContain('at least one session of sensitivity CONFIDENTIAL');
    expect((await standing()).map(({ title, sensitivity }) => [title, sensitivity])).toEqual([
      ['About Deploy from main', 'INTERNAL'],
      ['About The merger', 'CONFIDENTIAL'],
    ]);
    expect((await standing(PLAIN)).map(({ title }) => title)).toEqual(['About Deploy from main']);
  });

  test('keeps what is above it from the model', async () => {
    const plain = await session('Deploy from main');
    await session('The merger', 'CONFIDENTIAL');
    await seedPages(stores, project, {
      'standing/merger': { title: 'The merger', body: 'In May.', sensitivity: 'RESTRICTED' },
    });
    const model = modelSaying(answer([plain]));

    await pass(model, PLAIN);

    expect(model.asked).toHaveLength(1);
    expect(JSON.stringify(model.asked)).not.toContain('erger');
  });

  test('does not let an answer cite less than it was told: one of the highest sensitivity is among its sources', async () => {
    const plain = await session('Deploy from main');
    await session('The merger', 'CONFIDENTIAL');
    const leak = modelSaying(answer([plain], { title: 'The merger is in May' }));

    const reflection = await pass(leak);

    // The first asking had not seen the merger; the second had, and may not say it to everyone.
    expect(leak.asked).toHaveLength(2);
    expect(reflection).toMatchObject({ ...NOTHING, written: 1, refused: 1 });
  });

  test('of a page rises with its sources, and a less sensitive pass leaves it then', async () => {
    const plain = await session('Deploy from main');
    await pass(modelSaying(answer([plain])));
    const secret = await session('Deploy past the audit', 'CONFIDENTIAL');
    await pass(modelSaying(answer([secret, plain], { body: 'Past the audit.' })));
    expect(await only()).toMatchObject({ sensitivity: 'CONFIDENTIAL', version: 2 });
    const next = await session('Deploy from release');
    const model = modelWith((_request, index) =>
      JSON.stringify({ answers: index === 0 ? [answer([next])] : [] }),
    );

    const reflection = await pass(model);

    expect(reflection).toMatchObject({ ...NOTHING, unchanged: 1 });
    expect(await only()).toMatchObject({ sensitivity: 'CONFIDENTIAL', version: 2 });
  });

  test('refuses an answer to whose page the caller may not write, and tells nothing of it', async () => {
    await seedPages(stores, project, {
      'standing/how-do-we-deploy': { body: 'Hidden.', sensitivity: 'RESTRICTED' },
    });
    const source = await session('Deploy from main');

    const reflection = await pass(modelSaying(answer([source])), PLAIN);

    expect(reflection).toMatchObject({ ...NOTHING, refused: 1 });
    expect(JSON.stringify(reflection)).not.toContain('Hidden');
    expect((await only()).body).toBe('Hidden.');
  });
});

describe('what a model may say', () => {
  test.each<[string, Said, string]>([
    ['a path out of the project', { path: '../../x' }, 'Its path is of no standing page.'],
    ['a path of another page', { path: 'rules/security' }, 'Its path is of no standing page.'],
    ['the folder itself', { path: 'standing' }, 'Its path is of no standing page.'],
    ['a way out of the folder', { path: 'standing/../rules/security' }, 'Its path is of no'],
    ['a title of 1 MB', { title: 'x'.repeat(1_000_000) }, 'expected at most 300 characters'],
    ['a blank title', { title: ' \n ' }, 'answers.0.title: expected a text that is not empty'],
    ['a title with NUL', { title: 'a\0b' }, 'answers.0.title: expected a text without NUL'],
    ['half a character', { body: 'a\ud800b' }, 'answers.0.body: expected a text of whole'],
    ['a body that is too long', { body: 'x'.repeat(40_000) }, 'expected at most 32768 bytes'],
    ['no body', { body: '' }, 'answers.0.body: expected a text that is not empty'],
    ['a kind that answers nothing', { kind: 'SESSION' }, 'It has not the form'],
    ['sources that are no texts', { sources: [1, null] }, 'It has not the form'],
    ['a title that is no text', { title: { toString: 'x' } }, 'It has not the form'],
  ])('is refused alone, as %s', async (_what, fields, reason) => {
    await seedPages(stores, project, { 'rules/security': 'Keep secrets out.' });
    const source = await session('Deploy from main');
    const good = answer([source], { title: 'Who is on call?' });

    const reflection = await pass(modelSaying(answer([source], fields), good));

    expect(reflection).toMatchObject({ ...NOTHING, written: 1, refused: 1 });
    expect(reflection.answers[0]).toMatchObject({
      outcome: 'REFUSED',
      pageId: null,
      path: null,
      reason: expect.stringContaining(reason),
    });
    expect((await standing()).map(({ path }) => path)).toEqual(['standing/who-is-on-call']);
  });

  test.each([
    ['in a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['after some talk', (json: string) => `Here you are:\n${json}`],
    ['with more than was asked for', (json: string) => json.replace('{', '{"notes":"x",')],
    ['without a path', (json: string) => json.replace('"path":null,', '')],
  ])('may come %s', async (_how, wrap) => {
    const source = await session('Deploy from main');
    const json = JSON.stringify({ answers: [answer([source])] });

    expect(await pass(modelWith(() => wrap(json)))).toMatchObject({ ...NOTHING, written: 1 });
  });

  test.each([
    ['prose', 'Nothing has changed.'],
    ['a list', '[]'],
    ['an object without answers', '{"pages":[]}'],
    ['JSON that is cut', '{"answers":[{"path":'],
    ['more than 1 MiB', `{"answers":[],"more":"${'x'.repeat(1024 * 1024)}"}`],
  ])('is invalid as a whole where it is %s, and nothing is written', async (_what, text) => {
    await session('Deploy from main');

    await expect(pass(modelWith(() => text))).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
    });
    expect(await standing()).toEqual([]);
  });

  test('is twenty answers at most: what is beyond is refused', async () => {
    const source = await session('Deploy from main');
    const many = Array.from({ length: 25 }, (_, n) => answer([source], { title: `Answer ${n}` }));

    const reflection = await pass(modelSaying(...many));

    expect(reflection).toMatchObject({ ...NOTHING, written: 20, refused: 5 });
    expect(reflection.answers).toHaveLength(20);
  });

  test('makes no new page in a project that has fifty', async () => {
    const pages = Array.from({ length: 50 }, (_, n) => [`standing/${n}`, `Page ${n}.`]);
    await seedPages(stores, project, Object.fromEntries(pages));
    const source = await session('Deploy from main');

    expect(await pass(modelSaying(answer([source])))).toMatchObject({ ...NOTHING, refused: 1 });
  });
});

describe('what a model is shown', () => {
  test('is the last twenty sessions that are over, newest first, and no standing page among them', async () => {
    for (let n = 0; n < 22; n++) {
      await seedPages(stores, project, { [`sessions/${n}`]: { kind: 'SESSION', body: 'x' } });
    }
    await seedPages(stores, project, { 'standing/odd': { kind: 'SESSION', body: 'x' } });
    const caller = await callerFor(stores);
    const input = { projectId: project.id, agent: 'claude', task: 'Goes on' };
    await startSession(stores, caller, input);
    const model = modelSaying();

    await pass(model);

    const paths = material(model.asked[0]).sessions.map(({ path }) => path);
    expect(paths[0]).toBe('sessions/21');
    expect(paths).not.toContain('standing/odd');
    expect(paths.length).toBeGreaterThanOrEqual(19);
    expect(paths.length).toBeLessThanOrEqual(20);
  });

  test('stays within some 16,000 tokens, whatever there is, in whole characters', async () => {
    const long = '紹介する。'.repeat(600);
    const many = Array.from({ length: 12 }, (_, n) => [
      `sessions/${n}`,
      { kind: 'SESSION', body: long } as const,
    ]);
    const wide = Array.from({ length: 20 }, (_, n) => [`standing/${n}`, long]);
    await seedPages(stores, project, Object.fromEntries([...many, ...wide]));
    const model = modelSaying();

    await pass(model);

    const { system, prompt } = model.asked[0] ?? { system: '', prompt: '' };
    expect(Buffer.byteLength(system + prompt) / 4).toBeLessThan(16_000);
    expect(prompt).not.toContain('\ufffd');
    const { sessions, standing: shown } = material(model.asked[0]);
    expect(sessions.length).toBeGreaterThan(3);
    expect(shown).toHaveLength(20);
  });

  test('is redacted once more, since a pattern may be newer than a text', async () => {
    await session('Badge EMP-123456 opens the door');
    const redactor = {
      ...stores.redactor,
      redact: (text: string) => text.replace(/EMP-\d+/gu, '—'),
    };
    const model = modelSaying();

    await pass(model, LOCAL_PRINCIPAL, { ...stores, redactor });

    expect(JSON.stringify(model.asked)).not.toContain('EMP-123456');
  });
});

test('asks for both scopes, a project that is there and a model, in this order, before anything is read', async () => {
  const { caller, projects } = await createAccess(stores, LOCAL_PRINCIPAL).toWrite();
  const options = { projects, hintsEnabled: () => false };
  const asked = (scopes: Principal['scopes'], name: string) =>
    reflect(
      { ...stores, model: null },
      { ...caller, principal: { ...LOCAL_PRINCIPAL, scopes } },
      { project: name },
      options,
    );

  await expect(asked(['memory:read'], 'none')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(asked(['memory:write'], 'none')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const both = ['memory:read', 'memory:write'] as const;
  await expect(asked(both, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'project' });
  await expect(asked(both, project.name)).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
});

test('does not take one project for another', async () => {
  await session('Deploy from main');
  project = await seedProject(stores, `other-${made}`);
  const model = modelSaying();

  await pass(model);

  expect(model.asked).toEqual([]);
});

test('costs few statements where no session is new', async () => {
  const source = await session('Deploy from main');
  await pass(modelSaying(answer([source])), PLAIN);
  const before = database.statements;

  await pass(modelSaying(), PLAIN);

  // Projects, and for two sensitivities the sessions; the digest of the one that has some.
  expect(database.statements - before).toBeLessThanOrEqual(4);
});

async function linksOf({ id }: Page): Promise<(readonly [string, string])[]> {
  const rows = await database.query<{ kind: string; path: string }>({
    text: `select e.kind, p.path from edge e join page p on p.tenant = e.tenant and p.id = e.to_id
      where e.tenant = $1 and e.from_id = $2 and e.recorded_to = 253402300800000 order by p.path`,
    values: [LOCAL_PRINCIPAL.tenant, id],
  });
  return rows.map(({ kind, path }) => [kind, path] as const);
}
