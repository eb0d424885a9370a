import { once } from 'node:events';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSocket, type TestSocket } from '../support/socket.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVIL = { origin: 'https://evil.example' };
const READ = JSON.stringify({ query: '{ viewer { name } }' });

let socket: TestSocket;
beforeAll(async () => {
  socket = await openTestSocket();
});
afterAll(() => socket.close());

/** Over a socket, since `fetch` lets nobody choose the host or the origin. */
async function send(
  method: string,
  headers: OutgoingHttpHeaders,
  body = '',
  path = '/graphql',
  port = socket.port,
): Promise<{ status: number | undefined; headers: OutgoingHttpHeaders; text: string }> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks = await Array.fromAsync<Buffer>(response);
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode, headers: response.headers, text };
}

const codeOf = (text: string): unknown => JSON.parse(text).errors?.[0]?.extensions.code;

const projects = async (): Promise<string[]> => {
  const query = '{ projects(first: 100) { nodes { name } } }';
  const { text } = await send('POST', JSON_TYPE, JSON.stringify({ query }));
  return JSON.parse(text).data.projects.nodes.map(({ name }: { name: string }) => name);
};

describe('another website', () => {
  test('is not told that it may read answers', async () => {
    const { headers } = await send('POST', { ...JSON_TYPE, ...EVIL }, READ);

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('gets no leave to send JSON', async () => {
    const { status, headers } = await send('OPTIONS', {
      ...EVIL,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });

    expect(status).toBe(405);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  const mutation = 'mutation { createProject(input: { name: "stolen" }) { __typename } }';
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  test.each([
    ['application/x-www-form-urlencoded', `query=${encodeURIComponent(mutation)}`],
    [
      'multipart/form-data; boundary=x',
      `${part('operations', JSON.stringify({ query: mutation }))}${part('map', '{}')}--x--\r\n`,
    ],
    ['text/plain', JSON.stringify({ query: mutation })],
    ['text/plain, application/json', JSON.stringify({ query: mutation })],
  ])('cannot write with what a browser sends unasked: %s', async (type, body) => {
    const { status, text } = await send('POST', { ...EVIL, 'content-type': type }, body);

    expect([status, codeOf(text)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await projects()).not.toContain('stolen');
  });

  test('cannot write with a link', async () => {
    const path = `/graphql?query=${encodeURIComponent(mutation)}`;

    const { status } = await send('GET', { ...EVIL, accept: 'application/json' }, '', path);

    expect(status).toBe(405);
    expect(await projects()).not.toContain('stolen');
  });

  test.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'localhost:4000@evil.example',
  ])('cannot point a name of its own at us: %s', async (host) => {
    const posted = await send('POST', { ...JSON_TYPE, host }, READ);
    const page = await send('GET', { host, accept: 'text/html' });

    expect([posted.status, codeOf(posted.text)]).toEqual([403, 'HOST_NOT_ALLOWED']);
    expect(page.status).toBe(403);
  });
});

describe('a client of this machine', () => {
  test.each(['localhost:4000', 'LOCALHOST', '127.0.0.1', '127.0.0.1:9', '127.1.2.3', '[::1]:4000'])(
    'is answered at %s',
    async (host) => {
      const { status, text } = await send('POST', { ...JSON_TYPE, host }, READ);

      expect([status, JSON.parse(text).data]).toEqual([200, { viewer: { name: 'local' } }]);
    },
  );

  test('gets GraphiQL', async () => {
    const { status, text } = await send('GET', { accept: 'text/html' });

    expect(status).toBe(200);
    expect(text).toContain('<title>Causeway</title>');
  });

  test.each([
    ['application/json; charset=utf-8', READ],
    ['application/graphql', '{ viewer { name } }'],
  ])('may send %s', async (type, body) => {
    const { status } = await send('POST', { 'content-type': type }, body);

    expect(status).toBe(200);
  });
});

test.each(['a b', '[', '[::1', '%', 'localhost:99999', 'localhost:port'])(
  'a host that is no address is refused with a code: %s',
  async (host) => {
    const { status, text } = await send('POST', { ...JSON_TYPE, host }, READ);

    expect([status, codeOf(text)]).toEqual([400, 'BAD_REQUEST']);
    expect(JSON.parse(text).errors[0].message).toBe(
      `Host: expected a name and perhaps a port, but got "${host}".`,
    );
  },
);

test('a target that is no path is refused with a code', async () => {
  const { status, text } = await send('OPTIONS', {}, '', '*');

  expect([status, codeOf(text)]).toEqual([400, 'BAD_REQUEST']);
});

test('a server that asks who calls is reached by any name', async () => {
  const open = await openTestSocket({
    principalOf: () => {
      throw new Error('not asked');
    },
  });

  const headers = { host: 'memory.example', accept: 'text/html' };
  const { status } = await send('GET', headers, '', '/graphql', open.port);
  await open.close();

  expect(status).toBe(200);
});
