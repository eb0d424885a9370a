import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { cutLines } from './cut-lines.ts';
import { readMessage, refuse } from './read-message.ts';

const CANCELLED = 'notifications/cancelled';

export type LineTransport = Transport & {
  /** Takes no further message, answers those that came, and closes. */
  readonly finish: () => void;
  /** Once nothing is answered any more. */
  readonly closed: Promise<void>;
};

/**
 * One client that speaks a message a line. It is read from at once, also before the start, so that its
 * going is seen by then; what it says is kept until the start.
 *
 * Unlike the library's own, it answers what is no message, and what was asked for before the input
 * ended.
 *
 * @param maxLineBytes  a longer line is refused, and the next one is read
 * @param drainMs  most time for the answers that are due once the input has ended
 */
export function createLineTransport({
  input,
  output,
  maxLineBytes,
  drainMs,
}: {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes: number;
  readonly drainMs: number;
}): LineTransport {
  const unanswered = new Set<unknown>();
  const held: JSONRPCMessage[] = [];
  const tooLong = refuse(
    ProtocolErrorCode.InvalidRequest,
    `Expected a line of at most ${maxLineBytes} bytes.`,
  );
  let isStarted = false;
  let isAtEnd = false;
  let isClosed = false;
  let patience: NodeJS.Timeout | undefined;
  let tellClosed: () => void;

  const transport: LineTransport = {
    closed: new Promise((resolve) => {
      tellClosed = resolve;
    }),

    async start() {
      if (isClosed) return;
      isStarted = true;
      for (const message of held.splice(0)) transport.onmessage?.(message);
      closeWhenAnswered();
    },

    async send(message) {
      await write(serializeMessage(message));
      if ('method' in message || message.id === undefined) return;
      unanswered.delete(message.id);
      closeWhenAnswered();
    },

    finish: () => input.destroy(),

    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(patience);
      input.destroy();
      transport.onclose?.();
      tellClosed();
    },
  };

  // Stays for good: a client that is gone may fail a write that is under way when this is closed.
  output.on('error', () => void transport.close());
  void read();
  return transport;

  async function read(): Promise<void> {
    try {
      for await (const line of cutLines(input, maxLineBytes)) take(line);
    } catch {
      // A client that was killed with something unread breaks the pipe instead of ending it.
    }
    isAtEnd = true;
    closeWhenAnswered();
  }

  function take(line: Buffer | null): void {
    const read = line === null ? tooLong : readMessage(line);
    if (read === null) return;
    if (read.kind === 'REFUSED') {
      write(`${JSON.stringify(read.answer)}\n`).catch(() => {});
      return;
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) unanswered.add(message.id);
    // Nothing comes for a request that its client has called off.
    const calledOff = 'method' in message && message.method === CANCELLED && message.params;
    if (calledOff) unanswered.delete(calledOff.requestId);
    if (isStarted) transport.onmessage?.(message);
    else held.push(message);
  }

  function write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }

  function closeWhenAnswered(): void {
    if (!isAtEnd || !isStarted || isClosed) return;
    if (unanswered.size === 0) void transport.close();
    else patience ??= setTimeout(transport.close, drainMs);
  }
}
