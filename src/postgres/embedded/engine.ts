import { Worker } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest, WorkerStart } from './messages.ts';
import { EngineStream } from './stream.ts';

/** The embedded engine in its thread. */
export type Engine = {
  /** A new connection. The engine has one session: end the last before the next sends anything. */
  connect(): EngineStream;
  /** The data as a tar archive, for `dump` of the next start. */
  dump(): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends the session, writes what is open, and stops the thread. */
  close(): Promise<void>;
};

/**
 * Starts the engine and waits until it answers.
 *
 * @throws what the engine said when it could not open the folder or load the dump
 */
export async function startEngine(start: WorkerStart): Promise<Engine> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: start,
    name: 'embedded-postgres',
    // Flags of the parent (test runners have some) are not for this thread.
    execArgv: [],
  });

  const streams = new Map<number, EngineStream>();
  const waiting = new Map<WorkerReply['kind'], PromiseWithResolvers<WorkerReply>>();
  let connections = 0;
  let failure: Error | null = null;
  let isClosing = false;

  const send = (request: WorkerRequest) => {
    worker.postMessage(request, 'bytes' in request ? [request.bytes.buffer] : []);
  };

  const fail = (error: Error) => {
    failure ??= error;
    for (const stream of streams.values()) stream.destroy(failure);
    for (const { reject } of waiting.values()) reject(failure);
  };

  const waitFor = async (kind: WorkerReply['kind']): Promise<WorkerReply> => {
    if (failure !== null) throw failure;
    const waiter = waiting.get(kind) ?? Promise.withResolvers<WorkerReply>();
    waiting.set(kind, waiter);
    return waiter.promise;
  };

  worker.on('message', (reply: WorkerReply) => {
    if (reply.kind === 'BYTES') return streams.get(reply.connection)?.receive(reply.bytes);
    waiting.get(reply.kind)?.resolve(reply);
    waiting.delete(reply.kind);
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('The embedded engine has stopped.')));

  await waitFor('OPENED');

  return {
    connect() {
      const connection = ++connections;
      const stream = new EngineStream({
        send: (bytes) => send({ kind: 'BYTES', connection, bytes }),
        end() {
          streams.delete(connection);
          if (!isClosing) send({ kind: 'END', connection });
        },
      });
      streams.set(connection, stream);
      if (failure !== null) stream.destroy(failure);
      return stream;
    },

    async dump() {
      const dumped = waitFor('DUMPED');
      send({ kind: 'DUMP' });
      const reply = await dumped;
      if (reply.kind !== 'DUMPED') throw new Error('The embedded engine did not dump.');
      return reply.bytes;
    },

    async close() {
      if (failure !== null || isClosing) return;
      isClosing = true;
      const closed = waitFor('CLOSED');
      send({ kind: 'CLOSE' });
      await closed;
      await worker.terminate();
    },
  };
}
