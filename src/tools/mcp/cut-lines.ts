const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, without their ends; what stands after the last newline is one too.
 * In place of a line of more bytes comes null, as soon as it has so many: its rest is let go as it
 * comes, so that no line costs more memory than the bound.
 */
export async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    while (from < chunk.byteLength) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.byteLength : newline;
      const wasWithin = bytes <= maxBytes;
      bytes += to - from;
      if (bytes <= maxBytes) {
        parts.push(chunk.subarray(from, to));
      } else if (wasWithin) {
        parts = [];
        yield null;
      }
      from = to + 1;
      if (newline < 0) break;
      if (bytes <= maxBytes) yield Buffer.concat(parts);
      parts = [];
      bytes = 0;
    }
  }
  if (bytes > 0 && bytes <= maxBytes) yield Buffer.concat(parts);
}
