import { once } from 'node:events';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import type { RequestRecord } from '../../src/server/use-request-log.ts';
import { openTestSocket, type TestSocket } from '../support/socket.ts';
import { seedOps } from '../support/tools.ts';

const MOST_BYTES = 100_000;

const records: RequestRecord[] = [];
const reported: unknown[] = [];
let socket: TestSocket;
beforeAll(async () => {
  socket = await openTestSocket({
    limits: { maxBodyBytes: MOST_BYTES },
    principalOf: (asked) => {
      const caller = asked.headers.get('x-caller');
      if (caller === 'broken') {
        return {
          ...LOCAL_PRINCIPAL,
          get projects(): 'ALL' {
            throw new Error('the key store is on fire');
          },
        };
      }
      return caller === 'narrow' ? { ...LOCAL_PRINCIPAL, projects: ['lab'] } : LOCAL_PRINCIPAL;
    },
    reportError: (_id, error) => reported.push(error),
    logRequest: (record) => records.push(record),
  });
  await seedOps(socket);
});
afterAll(() => socket.close());

/** A client of each revision of the protocol: of sessions, and of single requests. */
async function connect(mode: 'legacy' | 'auto' = 'auto', headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const url = new URL(`http://127.0.0.1:${socket.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

const textOf = (result: { content: readonly { type: string }[] }): string => {
  const [first] = result.content;
  return first !== undefined && 'text' in first ? String(first.text) : '';
};

describe.each(['legacy', 'auto'] as const)('a client that opens as %s', (mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(mode);
  });
  afterAll(() => client.close());

  test('is told of the tools that models are told of, by names that it takes', async () => {
    const { tools } = await client.listTools();
    const { data } = await socket.ask<{ tools: readonly Record<string, string>[] }>(
      '{ tools { name version description inputSchema } }',
    );

    expect(
      tools.map(({ name, title, description, inputSchema }) => [
        name,
        title,
        description,
        inputSchema,
      ]),
    ).toEqual(
      data.tools.map((tool) => [
        tool.name?.replace('.', '_'),
        `${tool.name}@${tool.version}`,
        tool.description,
        tool.inputSchema,
      ]),
    );
    expect(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/u.test(name))).toBe(true);
  });

  test('gets the answer that GraphQL gives, as text', async () => {
    const args = { query: 'why did checkout time out', project: 'ops' };
    const { data } = await socket.ask<{ callTool: { readonly text: string } }>(
      `mutation ($input: CallToolInput!) { callTool(input: $input) { ... on CallToolSuccess { text } } }`,
      { input: { name: 'memory.search', arguments: args } },
    );

    const result = await client.callTool({ name: 'memory_search', arguments: args });

    expect(textOf(result)).toBe(data.callTool.text);
    expect(result.isError ?? false).toBe(false);
  });

  test('gets a refused call back as an answer that a model can mend', async () => {
    const args = { query: 'x', belief_types: ['FACT'] };

    const result = await client.callTool({ name: 'memory_search', arguments: args });

    const expected =
      'one of query, type_hints, subjects, as_of, limit, token_budget, project, projects';
    const message = `belief_types: expected ${expected}, but got an unknown argument.`;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(`INVALID_INPUT: ${message}`);
    expect(result.structuredContent).toEqual({
      error: {
        code: 'INVALID_INPUT',
        message,
        retryable: false,
        field: 'belief_types',
        expected,
        received: 'an unknown argument',
      },
    });
  });

  test.each(['memory_find', 'memory.search', 'memory_search@1.1.0'])(
    'cannot call %s',
    async (name) => {
      const calling = client.callTool({ name, arguments: {} });

      await expect(calling).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`Expected a tool of tools/list, but got "${name}".`),
      });
    },
  );

  test('writes a page and reads it as a resource, whatever its name', async () => {
    const path = 'a b/100%/c#d?e/ü';
    const args = { project: 'lab', path, title: 'Odd', body: 'A *body*.' };

    const written = await client.callTool({ name: 'memory_write', arguments: args });
    const { resources } = await client.listResources();
    const listed = resources.find(({ title }) => title === 'Odd');
    const read = await client.readResource({ uri: listed?.uri ?? '' });
    const templated = await client.readResource({ uri: `causeway://lab/${path}` });

    expect(textOf(written)).toMatch(/lab:a b\/100%\/c#d\?e\/ü, version 1\.$/u);
    expect(listed?.uri).toBe('causeway://lab/a%20b/100%25/c%23d%3Fe/%C3%BC');
    expect(read.contents).toEqual([
      { uri: listed?.uri, mimeType: 'text/markdown', text: '# Odd\n\nA *body*.' },
    ]);
    expect(templated.contents[0]).toMatchObject({ text: '# Odd\n\nA *body*.' });
  });

  test('gets the prompt that has its model maintain standing answers', async () => {
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: 'reflect', arguments: { project: 'ops' } });

    expect(prompts.map(({ name }) => name)).toEqual(['reflect']);
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain('the project \\"ops\\" in Causeway');
    for (const word of JSON.stringify(messages).match(/memory_\w+/gu) ?? []) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain(word);
    }
  });
});

test('resources are listed once each, page by page', async () => {
  const pages = Array.from({ length: 120 }, (_, index) => ({
    path: `many/${index}`,
    title: 'Many',
  }));
  await socket.ask(
    `mutation ($input: WritePagesInput!) { writePages(input: $input) { __typename } }`,
    { input: { project: 'lab', pages } },
  );
  const client = await connect();
  // The client walks the cursors by itself; a raw request shows the first page alone.
  const { resources } = await client.listResources();
  await client.close();

  const uris = resources.map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(uris.length);
  expect(uris.filter((uri) => uri.startsWith('causeway://lab/many/'))).toHaveLength(120);
});

test.each([
  ['of a page that is not there', 'causeway://lab/none'],
  ['of a project that is not there', 'causeway://none/trial'],
  ['without a path', 'causeway://lab/'],
  ['without a page', 'causeway://lab'],
  ['in another form', 'causeway:lab/trial'],
  ['of another scheme', 'file:///etc/passwd'],
  ['of broken signs', 'causeway://%/%'],
  ['of a path that is too long', `causeway://lab/${'a'.repeat(5_000)}`],
])('there is no resource %s', async (_what, uri) => {
  const client = await connect();

  const reading = client.readResource({ uri });

  await expect(reading).rejects.toMatchObject({ code: -32602 });
  await client.close();
});

test('a cursor of another list is refused by name', async () => {
  const { error } = await post({ method: 'resources/list', params: { cursor: 'nonsense' } });

  expect(error).toMatchObject({ code: -32602, data: { code: 'INVALID_INPUT', field: 'after' } });
});

describe('parameters that do not fit are the fault of the call', () => {
  const initialize = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };

  test.each<[string, object]>([
    ['tools/call', { arguments: {} }],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'memory_search', arguments: ['x'] }],
    ['tools/list', { cursor: 7 }],
    ['resources/list', { cursor: {} }],
    ['resources/read', {}],
    ['resources/read', { uri: ['causeway://lab/trial'] }],
    ['resources/templates/list', { cursor: 1 }],
    ['prompts/get', { name: 'reflect', arguments: { project: 7 } }],
    ['prompts/get', { name: 'reflect', arguments: 'lab' }],
    ['initialize', { ...initialize, protocolVersion: 7 }],
    ['initialize', {}],
  ])('%s of %j', async (method, params) => {
    const { error } = await post({ method, params });

    expect(error).toMatchObject({ code: -32602 });
    expect(error.message.length).toBeLessThan(700);
  });
});

test('what a caller may not see is neither listed, found nor read', async () => {
  const client = await connect('auto', { 'x-caller': 'narrow' });

  const { resources } = await client.listResources();
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'checkout' } });
  const read = client.readResource({ uri: 'causeway://ops/incidents/checkout' });

  expect(resources.filter(({ uri }) => uri.startsWith('causeway://ops/'))).toEqual([]);
  expect(textOf(found)).not.toContain('ops:');
  await expect(read).rejects.toMatchObject({ code: -32602 });
  await client.close();
});

test('a bug is reported whole, and told by its id alone', async () => {
  const client = await connect('auto', { 'x-caller': 'broken' });

  const result = await client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  const listing = client.listResources();

  expect(textOf(result)).toBe('INTERNAL_SERVER_ERROR: Unexpected error.');
  await expect(listing).rejects.toMatchObject({
    message: expect.stringMatching(/Unexpected error\.$/u),
  });
  expect(JSON.stringify(result)).not.toContain('fire');
  expect(reported.map(String)).toContain('Error: the key store is on fire');
  await client.close();
});

test('needs no session: any process answers any request', async () => {
  const { result } = await post({
    method: 'tools/call',
    params: { name: 'memory_page', arguments: { page: 'ops:notes/lunch' } },
  });

  expect(textOf(result)).toContain('# Lunch menu');
});

test('the log counts what a call asked of the stores', async () => {
  records.length = 0;

  await post({
    method: 'tools/call',
    params: { name: 'memory_search', arguments: { query: 'pool' } },
  });
  await post({ method: 'tools/list' });

  expect(records.map(({ status, storeCalls }) => [status, storeCalls > 3])).toEqual([
    [200, true],
    [200, false],
  ]);
});

test.each<[string, object, string, readonly string[]]>([
  ['tools/list', {}, 'tools/list', []],
  ['tools/call', { name: 'memory_briefing', arguments: { project: 'ops' } }, 'memory_briefing', []],
  [
    'tools/call',
    { name: 'memory_search', arguments: { query: '' } },
    'memory_search',
    ['INVALID_INPUT'],
  ],
  [
    'tools/call',
    { name: 'memory_page', arguments: { page: 'ops:x' } },
    'memory_page',
    ['NOT_FOUND'],
  ],
  ['tools/call', { name: 'n'.repeat(100) }, 'n'.repeat(80), ['NOT_FOUND']],
  ['resources/read', { uri: 'causeway://lab/none' }, 'resources/read', ['NOT_FOUND']],
  ['resources/list', { cursor: 'nonsense' }, 'resources/list', ['INVALID_INPUT']],
  ['prompts/get', { name: 7 }, 'prompts/get', ['INVALID_INPUT']],
])('the log has the tool, or the method, and the codes of %s %#', async (...row) => {
  const [method, params, operation, errorCodes] = row;
  records.length = 0;

  await post({ method, params });

  expect(records).toEqual([expect.objectContaining({ type: null, operation, errorCodes })]);
});

describe('refused before anything is read', () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

  test.each<[string, OutgoingHttpHeaders, string, number]>([
    ['a page of another site', { origin: 'https://evil.example' }, ping, 403],
    ['a page of a file', { origin: 'null' }, ping, 403],
    ['a form', { 'content-type': 'text/plain' }, ping, 415],
    ['a body that is too large', {}, 'x'.repeat(MOST_BYTES + 1), 413],
    ['a list of calls', {}, `[${ping},${ping}]`, 400],
    ['what is no JSON', {}, '{', 400],
    ['a body without end', {}, '', 400],
  ])('%s', async (_what, headers, body, status) => {
    expect((await send('POST', headers, body)).status).toBe(status);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s, since there are no sessions', async (method) => {
    expect((await send(method)).status).toBe(405);
  });

  test('a page of this machine is let through', async () => {
    expect((await send('POST', { origin: 'http://localhost:6274' }, ping)).status).toBe(200);
  });

  test('a name that is not of this machine, where nobody signs in', async () => {
    const open = await openTestSocket();

    const { status } = await send('POST', { host: 'evil.example' }, ping, open.port);
    await open.close();

    expect(status).toBe(403);
  });
});

/** Over a socket, since `fetch` lets nobody choose the host or the origin. */
async function send(
  method: string,
  headers: OutgoingHttpHeaders = {},
  body = '',
  port = socket.port,
): Promise<{ status: number | undefined; text: string }> {
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  // The server may answer, and close, before it has read everything.
  sent.on('error', () => {});
  const answered = once(sent, 'response');
  sent.end(body);
  const [response] = await answered;
  const text = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
  return { status: response.statusCode, text };
}

/** One message without any before it. */
function post(message: object) {
  return postText(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
}

async function postText(body: string) {
  const { text } = await send('POST', {}, body);
  return JSON.parse(text.replace(/^[^{]*/u, ''));
}
