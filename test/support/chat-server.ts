import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request for a chat completion, as it came. */
export type ChatRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: {
      readonly type: string;
      readonly json_schema: { readonly schema: object };
    };
  };
};

type Answer = (request: ChatRequest, response: ServerResponse) => void;

export type ChatServer = {
  /** What a client is configured with. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** From now on answers so. */
  readonly answerWith: (answer: Answer) => void;
  readonly close: () => Promise<void>;
};

/** An endpoint on this machine that speaks chat completions, and says what a test wants it to. */
export async function startChatServer(): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let answer: Answer = (_request, response) => response.writeHead(503).end();
  const server = createServer(async (request, response) => {
    const came = await text(request);
    const body = came === '' ? null : JSON.parse(came);
    const asked = { path: `${request.method} ${request.url}`, headers: request.headers, body };
    requests.push(asked);
    answer(asked, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answerWith(next) {
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An answer that is this text. */
export function saying(content: string | null, finishReason = 'stop'): Answer {
  return (request, response) => {
    const message = { role: 'assistant', content };
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_767_225_600,
        model: request.body.model,
        choices: [{ index: 0, message, finish_reason: finishReason }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  };
}

export function status(code: number, body = '', headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, headers).end(body);
  };
}
