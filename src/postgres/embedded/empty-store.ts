import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-stream';

/** The engine that the kept store was made by; another version makes its own. */
const ENGINE_VERSION = '0.5.14';
const FILE = new URL('../../../assets/empty-store.tar.br', import.meta.url);
const ENGINE_MANIFEST = new URL(
  '../../../node_modules/@electric-sql/pglite/package.json',
  import.meta.url,
);

/**
 * Unpacks a kept, empty store into a new folder, so that a first start need not make one: that takes
 * seconds, and 1.1 GB of memory. `src/cli/make-empty-store.ts` made it.
 *
 * @returns false, with nothing done, where it does not fit the engine that is installed
 */
export async function unpackEmptyStore(folder: string): Promise<boolean> {
  if (!existsSync(FILE) || engineVersion() !== ENGINE_VERSION) return false;
  const entries = createReadStream(FILE).pipe(createBrotliDecompress()).pipe(extract());
  for await (const entry of entries) {
    const target = join(folder, entry.header.name);
    if (entry.header.type === 'directory') {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      entry.resume();
    } else {
      mkdirSync(join(target, '..'), { recursive: true, mode: 0o700 });
      writeFileSync(target, await buffer(entry), { mode: 0o600 });
    }
  }
  return true;
}

function engineVersion(): unknown {
  if (!existsSync(ENGINE_MANIFEST)) return null;
  const manifest: unknown = JSON.parse(readFileSync(ENGINE_MANIFEST, 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? manifest.version
    : null;
}
