import { isUtf8 } from 'node:buffer';

/**
 * Longest line, bytes: a body of 1 MiB with every byte escaped (`\u0001`, six for one), and room for
 * the rest of its page. Without a limit one file without line ends would fill the memory.
 */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line without its end, or why it has no text. `end` is how many bytes were read up to its end. */
export type RawLine = { readonly end: number } & (
  | { readonly kind: 'TEXT'; readonly text: string }
  | { readonly kind: 'TOO_LONG'; readonly bytes: number }
  | { readonly kind: 'NO_UTF8' }
);

/**
 * Cuts bytes into lines at `\n` and `\r\n`, and nowhere else: JSON keeps U+2028, U+2029 and a lone
 * `\r` as they are. The last line needs no end; a byte order mark stays.
 *
 * Lines are cut before they are decoded, so no character can be torn by the border of a chunk. Bytes
 * that are no UTF-8 are told and not replaced, since a replaced text would be stored as the real one.
 *
 * Memory is bounded by the longest line allowed and one chunk.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<RawLine> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let end = 0;
  const keep = (part: Uint8Array) => {
    bytes += part.length;
    // What is too long anyway is counted and let go.
    if (bytes > maxBytes) parts = [];
    else parts.push(part);
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, at));
      end += at + 1 - start;
      start = at + 1;
      yield { end, ...read(parts, bytes, maxBytes) };
      parts = [];
      bytes = 0;
    }
    keep(chunk.subarray(start));
    end += chunk.length - start;
  }
  if (bytes > 0) yield { end, ...read(parts, bytes, maxBytes) };
}

function read(parts: readonly Uint8Array[], bytes: number, maxBytes: number) {
  if (bytes > maxBytes) return { kind: 'TOO_LONG', bytes } as const;
  const line = Buffer.concat(parts);
  if (!isUtf8(line)) return { kind: 'NO_UTF8' } as const;
  const length = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
  return { kind: 'TEXT', text: line.toString('utf8', 0, length) } as const;
}
