import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './create-server.ts';
import type { LineTransport } from './line-transport.ts';

/** Answers one client that speaks lines, until the transport is closed. */
export function serveMcpOverStdio(transport: LineTransport, options: McpOptions): void {
  serveStdio(() => createMcpServer(options), { transport, maxSubscriptions: 0 });
}
