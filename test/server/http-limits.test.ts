import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSocket, type TestSocket } from '../support/socket.ts';

const MOST_BYTES = 10_000;

let socket: TestSocket;
beforeAll(async () => {
  socket = await openTestSocket({ limits: { maxBodyBytes: MOST_BYTES, maxTokens: 50 } });
});
afterAll(() => socket.close());

/** Sends a body in pieces; its length goes ahead only when told. */
async function post(
  pieces: readonly string[],
  headers: Record<string, string | number> = {},
  path = '/graphql',
) {
  const sent = request({
    host: '127.0.0.1',
    port: socket.port,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  // The server may answer, and close, before it has read everything.
  sent.on('error', () => {});
  const answered = once(sent, 'response');
  for (const piece of pieces) sent.write(piece);
  sent.end();
  const [response] = await answered;
  const text = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
  return { status: response.statusCode, ...JSON.parse(text) };
}

const bodyOf = (bytes: number): string => {
  const body = JSON.stringify({ query: '{ viewer { name } }', variables: { filler: '' } });
  return body.replace('""', JSON.stringify('x'.repeat(bytes - body.length)));
};

test('takes a body of exactly the most bytes', async () => {
  const body = bodyOf(MOST_BYTES);

  const { status, data } = await post([body], { 'content-length': body.length });

  expect([status, data]).toEqual([200, { viewer: { name: 'local' } }]);
});

test('refuses a body of one byte more by its length', async () => {
  const body = bodyOf(MOST_BYTES + 1);

  const { status, errors } = await post([body], { 'content-length': body.length });

  expect([status, errors[0].extensions.code]).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE']);
});

test('refuses a body of one byte more that does not say its length', async () => {
  const body = bodyOf(MOST_BYTES + 1);

  const { status, errors } = await post([body.slice(0, 5_000), body.slice(5_000)]);

  expect([status, errors[0].extensions.code]).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE']);
});

test('says how many tokens there may be, and that there are more', async () => {
  const query = `{ ${'viewer { name } '.repeat(50)} }`;

  const { errors } = await post([JSON.stringify({ query })]);

  expect(errors[0].message).toBe('Tokens: expected at most 50, but got more than 50.');
});

test.each([
  ['a body of text', { 'content-type': 'text/plain' }, '/graphql', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a body without a type', { 'content-type': '' }, '/graphql', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a type with a blank before its parameter',
    { 'content-type': 'application/json ;charset=utf-8' },
    '/graphql',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a client that wants a picture', { accept: 'image/png' }, '/graphql', 406, 'NOT_ACCEPTABLE'],
  ['a path that is not there', {}, '/nowhere', 404, 'NOT_FOUND'],
])('gives a code to %s', async (_what, headers, path, status, code) => {
  const answer = await post([bodyOf(200)], headers, path);

  expect([answer.status, answer.errors[0].extensions.code]).toEqual([status, code]);
  expect(answer.errors[0].message).not.toBe('');
});
