import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { startEngine } from '../postgres/embedded/engine.ts';

/** Makes `assets/empty-store.tar.br` anew; to be run when the version of the engine changes. */
const engine = await startEngine({ folder: null, dump: null });
const dump = await engine.dump();
await engine.close();
writeFileSync(
  new URL('../../assets/empty-store.tar.br', import.meta.url),
  brotliCompressSync(dump, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }),
);
