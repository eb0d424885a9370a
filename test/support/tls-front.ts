import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A way to a Postgres that has no TLS of its own, as a pooler or a balancer before one gives it. */
export type TlsFront = {
  readonly port: number;
  /** Connections that were encrypted, and those that were not, so far. */
  readonly seen: { encrypted: number; plain: number };
  readonly close: () => Promise<void>;
};

/** What a client sends before anything else when it asks for TLS: its length, 8, and this number. */
const SSL_REQUEST = 80_877_103;

/** Stands before the Postgres at a port of this machine. */
export async function startTlsFront(
  targetPort: number,
  { key, cert }: { readonly key: Buffer; readonly cert: Buffer },
): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const seen = { encrypted: 0, plain: 0 };

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (near: Socket, first: Buffer | null) => {
    const far = keep(connect(targetPort, '127.0.0.1'));
    if (first !== null) far.write(first);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  };
  const server = createServer((near) => {
    keep(near).once('data', (first) => {
      near.pause();
      if (first.length !== 8 || first.readInt32BE(4) !== SSL_REQUEST) {
        seen.plain += 1;
        join(near, first);
        return;
      }
      near.write('S');
      const secure = keep(new TLSSocket(near, { isServer: true, key, cert }));
      secure.once('secure', () => {
        seen.encrypted += 1;
        join(secure, null);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
