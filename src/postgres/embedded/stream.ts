import { Duplex } from 'node:stream';

/** How a stream reaches the engine. `send` takes over the memory of the bytes. */
export type Wire = {
  readonly send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Called once, when the connection is over, however it ended. */
  readonly end: () => void;
};

/**
 * What node-postgres takes for a socket: one connection to the embedded engine.
 *
 * A message is never split: node-postgres writes whole messages, and corks those that belong
 * together, so they arrive as one.
 */
export class EngineStream extends Duplex {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  /** Takes an answer of the engine; ignored once the connection is over. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.destroyed) this.push(Buffer.from(bytes.buffer));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // A copy: the chunk may share its memory with others, and sending gives memory away.
    this.#wire.send(new Uint8Array(chunk));
    done();
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    const joined = Buffer.concat(chunks.map(({ chunk }) => chunk));
    this.#wire.send(new Uint8Array(joined));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wire.end();
    done(error);
  }

  // The rest of what node-postgres asks of a socket.

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
