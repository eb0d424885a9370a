/** What the main thread tells the worker; answered strictly in this order. */
export type WorkerRequest =
  /** Protocol messages of one connection, whole and never split. */
  | { readonly kind: 'BYTES'; readonly connection: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The connection is gone: its transaction and settings go with it. */
  | { readonly kind: 'END'; readonly connection: number }
  | { readonly kind: 'DUMP' }
  | { readonly kind: 'CLOSE' };

/** What the worker tells the main thread. */
export type WorkerReply =
  | { readonly kind: 'OPENED' }
  | { readonly kind: 'BYTES'; readonly connection: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A tar archive of the data. */
  | { readonly kind: 'DUMPED'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'CLOSED' };

/** What the worker opens. */
export type WorkerStart = {
  /** Folder of the engine's own files; null keeps everything in memory. */
  readonly folder: string | null;
  /** What DUMP gave, to start from instead of from an empty store. */
  readonly dump: Uint8Array<ArrayBuffer> | null;
};
