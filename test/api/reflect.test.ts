import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { createOpenAiCompatible } from '../../src/models/openai-compatible.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import {
  type ChatRequest,
  type ChatServer,
  saying,
  startChatServer,
  status,
} from '../support/chat-server.ts';

let server: ChatServer;
let app: TestApp;
let bare: TestApp;
let made = 0;

beforeAll(async () => {
  server = await startChatServer();
  const settings = { url: server.url, model: 'small', key: null };
  app = await openTestApp({ model: createOpenAiCompatible(settings) });
  bare = await openTestApp();
});
afterAll(async () => {
  await Promise.all([app.close(), bare.close(), server.close()]);
});

/** A project with one session that is over; its name. */
async function project(over = app): Promise<string> {
  made += 1;
  const name = `shop-${made}`;
  const { data } = await over.ask<{ startSession: { session: { id: string } } }>(
    `mutation ($name: String!) {
      createProject(input: { name: $name }) { __typename }
      startSession(input: { project: $name, agent: "claude", task: "Find the leak" }) {
        ... on StartSessionSuccess { session { id } } } }`,
    { name },
  );
  const { id } = data.startSession.session;
  await over.ask(
    `mutation ($id: ID!) {
      recordObservation(input: { session: $id, text: "The pool is never drained." }) { __typename }
      endSession(input: { session: $id }) { __typename } }`,
    { id },
  );
  return name;
}

async function reflect(name: string, over = app, as: Principal = LOCAL_PRINCIPAL) {
  const { data } = await over.ask(
    `mutation ($name: String!) { reflect(input: { project: $name }) {
      __typename
      ... on ReflectSuccess {
        asked written unchanged keptHuman refused droppedSources graphSequence
        answers { outcome reason page { path title sensitivity references { nodes { title } } } } }
      ... on Failure { code message retryable }
      ... on NotFound { field } ... on InvalidInput { field }
    } }`,
    { name },
    as,
  );
  return data.reflect;
}

/** Says that the pool has to be drained, because of all sessions that it is shown. */
function answering(request: ChatRequest, response: Parameters<ReturnType<typeof saying>>[1]) {
  const { sessions } = JSON.parse(request.body.messages[1]?.content ?? '');
  const sources = sessions.map(({ path }: { path: string }) => path);
  const answer = { path: null, title: 'Drain the pool', kind: 'RULE', body: 'Always.', sources };
  saying(JSON.stringify({ answers: [answer] }))(request, response);
}

test('brings a standing answer from the sessions into the next briefing', async () => {
  server.answerWith(answering);
  const name = await project();

  const reflected = await reflect(name);
  const { data } = await app.ask<{ briefing: { text: string } }>(
    `query ($name: String!) { briefing(project: $name) { text } }`,
    { name },
  );

  expect(reflected).toEqual({
    __typename: 'ReflectSuccess',
    asked: true,
    written: 1,
    unchanged: 0,
    keptHuman: 0,
    refused: 0,
    droppedSources: 0,
    graphSequence: expect.stringMatching(/^\d+$/u),
    answers: [
      {
        outcome: 'WRITTEN',
        reason: 'It rests on 1 session.',
        page: {
          path: 'standing/drain-the-pool',
          title: 'Drain the pool',
          sensitivity: 'INTERNAL',
          references: { nodes: [{ title: 'Find the leak' }] },
        },
      },
    ],
  });
  expect(data.briefing.text).toContain('- Drain the pool [standing/drain-the-pool]: Always.');
});

test('asks the endpoint once for what is new, and not again', async () => {
  server.answerWith(answering);
  const name = await project();
  const before = server.requests.length;

  await reflect(name);
  const again = await reflect(name);

  expect(server.requests.length - before).toBe(1);
  expect(again).toMatchObject({ asked: false, written: 0, graphSequence: null, answers: [] });
});

test('without a model is a typed failure, and everything else works', async () => {
  const name = await project(bare);

  const failure = await reflect(name, bare);
  const { data } = await bare.ask<{ briefing: { text: string } }>(
    `query ($name: String!) { briefing(project: $name) { text } }`,
    { name },
  );

  expect(failure).toMatchObject({
    __typename: 'ModelNotConfigured',
    code: 'MODEL_NOT_CONFIGURED',
    retryable: false,
  });
  expect(data.briefing.text).toContain('Find the leak');
});

test.each([
  ['ModelUnavailable', 'MODEL_UNAVAILABLE', true, status(503)],
  ['ModelRefused', 'MODEL_REFUSED', false, status(401)],
  ['ModelAnswerInvalid', 'MODEL_ANSWER_INVALID', true, saying('I am sorry.')],
])(
  'a model that fails is told as %s, and the next pass asks anew',
  async (type, code, retryable, answer) => {
    server.answerWith(answer);
    const name = await project();

    const failure = await reflect(name);
    server.answerWith(answering);
    const next = await reflect(name);

    expect(failure).toMatchObject({ __typename: type, code, retryable });
    expect(next).toMatchObject({ asked: true, written: 1 });
  },
);

test('refuses whoever may not read or not write, and a project that they do not see', async () => {
  const name = await project();
  const reader: Principal = { ...LOCAL_PRINCIPAL, name: 'reader', scopes: ['memory:read'] };
  const writer: Principal = { ...LOCAL_PRINCIPAL, name: 'writer', scopes: ['memory:write'] };
  const stranger: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };
  const before = server.requests.length;

  const answers = [
    await reflect(name, app, reader),
    await reflect(name, app, writer),
    await reflect(name, app, stranger),
    await reflect(''),
  ];

  expect(answers).toMatchObject([
    { __typename: 'Forbidden' },
    { __typename: 'Forbidden' },
    { __typename: 'NotFound', field: 'input.project' },
    { __typename: 'InvalidInput', field: 'input.project' },
  ]);
  expect(server.requests.length).toBe(before);
});
