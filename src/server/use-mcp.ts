import type { Plugin } from 'graphql-yoga';
import { quoteText } from '../memory/shown-text.ts';
import { hostOf, isLoopback } from './loopback-host.ts';
import { refusal } from './refusal.ts';

export type McpDoor = {
  readonly maxBodyBytes: number;
  /**
   * @param request  with its body as text
   * @param body  the same, parsed; undefined where it is no JSON
   * @param asked  the request as it came
   */
  readonly answer: (request: Request, body: unknown, asked: Request) => Promise<Response>;
};

/**
 * The endpoint of agents, beside that of GraphQL. A body of more bytes is refused before it is read to
 * its end, and so is a list of calls, which no present revision of the protocol has: each could start
 * a search.
 */
export function useMcp(endpoint: string, { maxBodyBytes, answer }: McpDoor): Plugin {
  return {
    async onRequest({ request, url, endResponse }) {
      if (url.pathname !== endpoint) return;
      endResponse(refuseOrigin(request) ?? (await read(request)));
    },
  };

  async function read(asked: Request): Promise<Response> {
    const text = await readText(asked, maxBodyBytes);
    if (text === null) {
      const message = `Body: expected at most ${maxBodyBytes} bytes.`;
      return refusal(413, 'REQUEST_ENTITY_TOO_LARGE', message);
    }
    const body = parse(text);
    if (Array.isArray(body)) {
      return refusal(400, 'BAD_REQUEST', 'Body: expected one message, but got a list.');
    }
    const { url, method, signal } = asked;
    const headers = Object.fromEntries(asked.headers);
    const request = new Request(url, {
      method,
      headers,
      signal,
      ...(text !== '' && { body: text }),
    });
    return answer(request, body, asked);
  }
}

/** Pages of other sites are kept out by name, as the protocol asks; programs send no origin. */
function refuseOrigin(request: Request): Response | null {
  const origin = request.headers.get('origin');
  if (origin === null) return null;
  const host = URL.canParse(origin) ? new URL(origin).hostname : null;
  if (host !== null && (isLoopback(host) || host === hostOf(request))) return null;
  const message = `Origin: expected none, or one of this server, but got ${quoteText(origin)}.`;
  return refusal(403, 'ORIGIN_NOT_ALLOWED', message);
}

/** Null for a body of more bytes. */
async function readText(request: Request, maxBytes: number): Promise<string | null> {
  if (Number(request.headers.get('content-length')) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
