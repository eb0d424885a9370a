import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './create-server.ts';

/**
 * Answers one client over standard input and output, until either ends.
 *
 * @param onEnd  called once when the client is gone
 */
export function serveMcpOverStdio(
  options: McpOptions,
  onEnd: () => void,
): { close(): Promise<void> } {
  const handle = serveStdio(() => createMcpServer(options), { maxSubscriptions: 0 });
  process.stdin.once('end', onEnd);
  process.stdin.once('close', onEnd);
  return handle;
}
