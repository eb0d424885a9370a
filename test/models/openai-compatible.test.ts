import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkEndpoint, createOpenAiCompatible } from '../../src/models/openai-compatible.ts';
import { type ChatServer, saying, startChatServer, status } from '../support/chat-server.ts';
import { findFreePort } from '../support/proxy.ts';

const KEY = 'key-that-nobody-may-see';
const ASKED = { system: 'Be short.', prompt: 'What holds?' };
const SCHEMA = { type: 'object', properties: {}, additionalProperties: false };

let server: ChatServer;
let before: number;

beforeAll(async () => {
  server = await startChatServer();
});
afterAll(() => server.close());
beforeEach(() => {
  before = server.requests.length;
});

const newRequests = () => server.requests.slice(before);

function client(settings: { url?: string; key?: string | null; timeoutMs?: number } = {}) {
  const { url = server.url, key = KEY, timeoutMs = 10_000 } = settings;
  return createOpenAiCompatible({ url, model: 'small:8b', key }, { timeoutMs });
}

/** What went wrong, with all that a log would print of it. */
async function failureOf(complete: Promise<string>) {
  const error: unknown = await complete.then(
    (text) => ({ text }),
    (thrown: unknown) => thrown,
  );
  const printed = inspect(error, { depth: 10 });
  expect(printed).not.toContain(KEY);
  return error;
}

describe('what is asked', () => {
  test('is a chat completion of the model, with the key and the schema', async () => {
    server.answerWith(saying('{"answers":[]}'));

    const answer = await client().complete({ ...ASKED, schema: SCHEMA });

    expect(answer).toBe('{"answers":[]}');
    expect(newRequests()).toMatchObject([
      {
        path: 'POST /v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: {
          model: 'small:8b',
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: 'What holds?' },
          ],
          response_format: { type: 'json_schema', json_schema: { strict: true, schema: SCHEMA } },
        },
      },
    ]);
  });

  test('has no key where there is none, and no schema where none is asked for', async () => {
    server.answerWith(saying('Hello.'));

    await client({ key: null }).complete(ASKED);

    const [request] = newRequests();
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.body).not.toHaveProperty('response_format');
  });

  test('goes to the same place with and without a slash, and keeps a query', async () => {
    server.answerWith(saying('Hello.'));

    await client({ url: `${server.url}/` }).complete(ASKED);
    await client({ url: `${server.url}?api-version=1` }).complete(ASKED);

    expect(newRequests().map(({ path }) => path)).toEqual([
      'POST /v1/chat/completions',
      'POST /v1/chat/completions?api-version=1',
    ]);
  });

  test.each([400, 422])(
    'is asked once more without the schema where status %i says that it is not understood',
    async (code) => {
      server.answerWith((request, response) => {
        const answer = request.body.response_format ? status(code) : saying('Hello.');
        answer(request, response);
      });

      const answer = await client().complete({ ...ASKED, schema: SCHEMA });

      expect(answer).toBe('Hello.');
      expect(newRequests()).toHaveLength(2);
    },
  );
});

describe('an endpoint that does not answer', () => {
  test.each([500, 502, 503, 408, 429])('with status %i may later', async (code) => {
    server.answerWith(status(code, `incorrect key ${KEY}`));

    const error = await failureOf(client().complete({ ...ASKED, schema: SCHEMA }));

    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      message: `Expected an answer from the model, but got status ${code}. Try again later.`,
    });
    expect(newRequests()).toHaveLength(1);
  });

  test('within its time is given up, be it before its head or in the middle of its body', async () => {
    server.answerWith(() => {});
    const silent = await failureOf(client({ timeoutMs: 100 }).complete(ASKED));
    server.answerWith((_request, response) => {
      response.writeHead(200).write('{"choices":');
    });
    const stuck = await failureOf(client({ timeoutMs: 100 }).complete(ASKED));

    for (const error of [silent, stuck]) {
      expect(error).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        message: 'Expected an answer from the model, but got none within 0.1 s. Try again later.',
      });
    }
  });

  test('since nobody listens, or it hangs up, says so without its address', async () => {
    const port = await findFreePort();
    const nobody = client({ url: `http://127.0.0.1:${port}/v1` }).complete(ASKED);
    const gone = await failureOf(nobody);
    server.answerWith((_request, response) => response.destroy());
    const cut = await failureOf(client().complete(ASKED));

    expect(gone).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message:
        'Expected an answer from the model, but got no connection (ECONNREFUSED). Try again later.',
    });
    expect(cut).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});

describe('an endpoint that refuses', () => {
  test.each([
    [401, 'Look at CAUSEWAY_MODEL_KEY.'],
    [403, 'Look at CAUSEWAY_MODEL_KEY.'],
    [404, 'Look at CAUSEWAY_MODEL_URL and CAUSEWAY_MODEL.'],
    [400, 'The model may have too small a context, or another name.'],
  ])(
    'with status %i is not asked again, and the message says what to look at',
    async (code, mend) => {
      server.answerWith(status(code, `incorrect key ${KEY}`));

      const error = await failureOf(client().complete(ASKED));

      expect(error).toMatchObject({
        code: 'MODEL_REFUSED',
        retryable: false,
        message: `Expected an answer from the model, but got status ${code}. ${mend}`,
      });
    },
  );

  test('by sending elsewhere is not followed: pages and key stay with the configured address', async () => {
    const other = await startChatServer();
    server.answerWith(status(307, '', { location: `${other.url}/chat/completions` }));

    const error = await failureOf(client().complete(ASKED));
    await other.close();

    expect(error).toMatchObject({ code: 'MODEL_REFUSED' });
    expect(other.requests).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([
    ['no JSON', status(200, '<html>Welcome</html>')],
    ['JSON of another kind', status(200, '{"error":"no"}')],
    ['a list of no choices', status(200, '{"choices":[]}')],
    ['a choice without a message', status(200, '{"choices":[{"finish_reason":"stop"}]}')],
    ['no text', saying(null)],
    ['an empty text', saying('')],
    ['cut at its limit of tokens', saying('{"answers":[', 'length')],
    ['nothing at all', status(200)],
  ])('that is %s is invalid, and may be better next time', async (_what, answer) => {
    server.answerWith(answer);

    const error = await failureOf(client().complete(ASKED));

    expect(error).toMatchObject({ code: 'MODEL_ANSWER_INVALID', retryable: true });
  });

  test('without an end is read up to 2 MiB, and then hung up on', async () => {
    const isHungUp = Promise.withResolvers<void>();
    let sent = 0;
    server.answerWith((_request, response) => {
      response.on('close', () => isHungUp.resolve());
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed) {
          sent += chunk.byteLength;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', more);
      more();
    });

    const error = await failureOf(client().complete(ASKED));
    await isHungUp.promise;

    expect(error).toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
      message: 'Expected at most 2097152 bytes from the model, but got more.',
    });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('a check of the endpoint', () => {
  const check = () => checkEndpoint({ url: server.url, model: 'small:8b', key: KEY });

  test.each([200, 404, 405])('passes with status %i, and asks no model', async (code) => {
    server.answerWith(status(code, '{"data":[]}'));

    await check();

    expect(newRequests()).toMatchObject([
      { path: 'GET /v1/models', headers: { authorization: `Bearer ${KEY}` }, body: null },
    ]);
  });

  test.each([
    [401, 'MODEL_REFUSED'],
    [403, 'MODEL_REFUSED'],
    [503, 'MODEL_UNAVAILABLE'],
  ])('fails with status %i', async (code, expected) => {
    server.answerWith(status(code));

    await expect(check()).rejects.toMatchObject({ code: expected });
  });
});
