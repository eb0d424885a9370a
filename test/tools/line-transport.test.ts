import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutLines } from '../../src/tools/mcp/cut-lines.ts';
import { createLineTransport } from '../../src/tools/mcp/line-transport.ts';

const request = (id: number, method = 'ping'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method });
const toLine = (message: unknown) => `${JSON.stringify(message)}\n`;

function open({ drainMs = 60_000 } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = createLineTransport({ input, output, maxLineBytes: 100, drainMs });
  const heard: JSONRPCMessage[] = [];
  transport.onmessage = (message) => heard.push(message);
  return { input, output, transport, heard };
}

const said = (output: PassThrough) =>
  String(output.read() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function* streamOf(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

test('lines are the same however their bytes come, and none is longer than the bound', async () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => all.map((byte) => byte % 12));
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), fc.integer({ min: 0, max: 20 }), async (chunks, most) => {
      const cut = await Array.fromAsync(cutLines(streamOf(chunks), most));

      const whole = Buffer.concat(chunks).toString('latin1').split('\n');
      const lines = whole.at(-1) === '' ? whole.slice(0, -1) : whole;
      expect(cut.map((line) => line?.toString('latin1') ?? null)).toEqual(
        lines.map((line) => (line.length > most ? null : line)),
      );
    }),
  );
});

test('a line of too many bytes is told of before it ends', async () => {
  const lines = cutLines(streamOf([Buffer.alloc(8, 'a'), Buffer.alloc(8, 'a')]), 10);

  expect(await lines.next()).toEqual({ done: false, value: null });
});

test('hears what came before the start, in order', async () => {
  const { input, transport, heard } = open();
  input.write(toLine(request(1)) + toLine(request(2)));
  await new Promise(setImmediate);

  await transport.start();
  input.write(`\ufeff${toLine(request(3))}`);
  await new Promise(setImmediate);

  expect(heard).toEqual([request(1), request(2), request(3)]);
});

describe('what is no message is answered', () => {
  const refused = (id: unknown, code: number, message: string) => [
    { jsonrpc: '2.0', id, error: { code, message } },
  ];
  const invalid = (id: unknown) => refused(id, -32600, 'Expected one message of JSON-RPC 2.0.');

  test.each<[string, string, unknown[]]>([
    ['no JSON', '{"jsonrpc":', refused(null, -32700, 'Expected a line of JSON.')],
    [
      'a long line',
      `"${'é'.repeat(50)}"`,
      refused(null, -32600, 'Expected a line of at most 100 bytes.'),
    ],
    ['a list', `[${JSON.stringify(request(1))}]`, invalid(null)],
    ['a number', '7', invalid(null)],
    ['a request without a method', '{"jsonrpc":"2.0","id":7,"method_":"ping"}', invalid(7)],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', invalid('a')],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', invalid(null)],
    ['an id that is not whole', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', invalid(null)],
    [
      'an answer, whose id is of another count',
      '{"jsonrpc":"2.0","id":1,"result":1}',
      invalid(null),
    ],
    ['nothing', '', []],
    ['a blank', ' \r', []],
  ])('%s', async (_what, line, answers) => {
    const { input, output, transport, heard } = open();
    await transport.start();

    input.end(`${line}\n`);
    await transport.closed;

    expect(said(output)).toEqual(answers);
    expect(heard).toEqual([]);
  });
});

test('closes once all that was asked before the end is answered', async () => {
  const { input, transport, heard } = open();
  let isClosed = false;
  transport.onclose = () => {
    isClosed = true;
  };
  await transport.start();
  input.end(toLine(request(1)) + toLine(request(2)));
  await new Promise(setImmediate);

  await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
  const afterOne = isClosed;
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await transport.closed;

  expect([heard.length, afterOne, isClosed]).toEqual([2, false, true]);
});

test('waits no longer for an answer than its patience lasts', async () => {
  const { input, transport } = open({ drainMs: 1 });
  await transport.start();

  input.end(toLine(request(1)));

  await expect(transport.closed).resolves.toBeUndefined();
});

test('waits for no answer that its client has called off', async () => {
  const { input, transport } = open();
  await transport.start();
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };

  input.end(toLine(request(1)) + toLine({ jsonrpc: '2.0', ...cancelled }));

  await expect(transport.closed).resolves.toBeUndefined();
});

test.each(['the input breaks', 'the output breaks', 'it is asked to finish'] as const)(
  'closes when %s',
  async (what) => {
    const { input, output, transport } = open();
    await transport.start();

    if (what === 'the input breaks') input.destroy(new Error('ECONNRESET'));
    if (what === 'the output breaks') output.destroy(new Error('EPIPE'));
    if (what === 'it is asked to finish') transport.finish();

    await expect(transport.closed).resolves.toBeUndefined();
    expect(input.destroyed).toBe(true);
  },
);

test('a client that is gone before the start is not waited for', async () => {
  const { input, transport } = open();
  input.end();
  await new Promise(setImmediate);

  await transport.start();

  await expect(transport.closed).resolves.toBeUndefined();
});
