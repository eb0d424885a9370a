import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './create-server.ts';

/**
 * Answers one request of streamable HTTP, of the present revision of the protocol or of those that
 * open with `initialize`. Nothing is kept between two, so that any process may answer any of them:
 * there are no sessions, and no streams that stay open.
 *
 * @param body  of the request, read and parsed; undefined where it is no JSON
 */
export async function answerMcp(
  request: Request,
  body: unknown,
  options: McpOptions & { readonly maxBodyBytes: number },
): Promise<Response> {
  const { maxBodyBytes: maxRequestBodySize } = options;
  const parsed = body === undefined ? {} : { parsedBody: body };
  const isOlder =
    request.method === 'POST' && (await isLegacyRequest(request, body, { maxRequestBodySize }));
  if (!isOlder) {
    const handler = createMcpHandler(() => createMcpServer(options), {
      maxSubscriptions: 0,
      maxRequestBodySize,
    });
    return handler.fetch(request, parsed);
  }
  // One body, since nothing is said before the answer: a stream would be open before the work is done.
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize,
  });
  const server = createMcpServer(options);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, parsed);
  } finally {
    await server.close();
  }
}
