import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A way to a service that a test can hold up. */
export type TcpProxy = {
  readonly port: number;
  /** From now on no byte goes through, either way; connections stay open, and new ones are taken. */
  readonly hold: () => void;
  /** As `hold`, once this text is on its way to the service; it is held too. */
  readonly holdAt: (text: string) => void;
  /** Until something is held by `holdAt`. */
  readonly held: () => Promise<void>;
  /** Lets everything go on, what was held included. */
  readonly release: () => void;
  /** Ends every connection, as a network does that forgets them. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

type Pair = readonly [near: Socket, gate: Transform, far: Socket];

/** Stands before the service at a port of this machine. */
export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isHeld = false;
  let awaited: string | null = null;
  let came = Promise.withResolvers<void>();

  const flow = ([near, gate, far]: Pair) => {
    near.pipe(gate).pipe(far);
    far.pipe(near);
  };
  const hold = () => {
    isHeld = true;
    for (const [near, gate, far] of pairs) {
      near.unpipe(gate).pause();
      gate.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  };
  const createGate = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (awaited !== null && chunk.includes(awaited)) {
          awaited = null;
          hold();
          came.resolve();
        }
        done(null, chunk);
      },
    });
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    const pair = [near, createGate(), far] as const;
    pairs.add(pair);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
    if (isHeld) near.pause();
    else flow(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const [near, , far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    hold,
    holdAt(text) {
      awaited = text;
      came = Promise.withResolvers();
    },
    held: () => came.promise,
    release() {
      isHeld = false;
      for (const pair of pairs) flow(pair);
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The address with another port of this machine in it. */
export function throughPort(address: string, port: number): string {
  const changed = new URL(address);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.href;
}

/** A port that nobody has at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
