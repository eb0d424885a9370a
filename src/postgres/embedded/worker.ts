import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { vector } from '@electric-sql/pglite-pgvector';
import type { WorkerReply, WorkerRequest, WorkerStart } from './messages.ts';

// The engine answers synchronously and would block the event loop that serves requests: hence a
// thread of its own. This file runs only there. What the engine throws ends the thread: after a
// PANIC, or out of memory, it answers nothing sensible any more.

/** Answers are handed over in pieces of about this size, so that a large one is not held twice. */
const PIECE_BYTES = 256 * 1024;

if (parentPort === null) throw new Error('The embedded engine runs in a worker thread only.');
const port = parentPort;

const { folder, dump }: WorkerStart = workerData;
const engine = await PGlite.create({
  ...(folder === null ? {} : { dataDir: folder }),
  ...(dump === null ? {} : { loadDataDir: new Blob([dump]) }),
  extensions: { vector, btree_gin },
  // Half of the engine's own choice: a laptop's store fits, and the file system caches the rest.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=64MB'],
});

let tail = Promise.resolve();
port.on('message', (request: WorkerRequest) => {
  tail = tail
    .then(() => serve(request))
    .catch((cause) => {
      throw new Error('The embedded engine broke.', { cause });
    });
});
reply({ kind: 'OPENED' });

async function serve(request: WorkerRequest): Promise<void> {
  switch (request.kind) {
    case 'BYTES':
      return answer(request.connection, request.bytes);
    case 'END':
      return startAfresh();
    case 'DUMP': {
      const archive = await engine.dumpDataDir('none');
      return reply({ kind: 'DUMPED', bytes: new Uint8Array(await archive.arrayBuffer()) });
    }
    case 'CLOSE':
      await engine.close();
      reply({ kind: 'CLOSED' });
      port.close();
  }
}

async function answer(connection: number, bytes: Uint8Array): Promise<void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const handOver = () => {
    if (size > 0) reply({ kind: 'BYTES', connection, bytes: join(pieces, size) });
    pieces = [];
    size = 0;
  };

  // The streaming call: `execProtocolRaw` keeps every parsed answer for ever.
  await engine.execProtocolRawStream(bytes, {
    onRawData(piece) {
      pieces.push(piece.slice());
      size += piece.length;
      if (size >= PIECE_BYTES) handOver();
    },
  });
  handOver();
}

/**
 * Leaves nothing of the last connection to the next, since the engine has one session for all.
 * Sync ends a request that broke off half way: until then the engine skips what comes.
 */
async function startAfresh(): Promise<void> {
  const discard = { onRawData() {} };
  await engine.execProtocolRawStream(toMessage('S', ''), discard);
  await engine.execProtocolRawStream(toMessage('Q', 'rollback\0'), discard);
  await engine.execProtocolRawStream(toMessage('Q', 'discard all\0'), discard);
}

/** A frontend message: its type, then its length with the length itself, then its content. */
function toMessage(type: string, content: string): Uint8Array {
  const message = Buffer.alloc(5 + content.length);
  message.write(type, 0, 'latin1');
  message.writeInt32BE(4 + content.length, 1);
  message.write(content, 5, 'latin1');
  return message;
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

function reply(message: WorkerReply): void {
  port.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []);
}
