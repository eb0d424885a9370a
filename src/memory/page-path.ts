import { InvalidInputError } from './errors.ts';
import { quoteText } from './shown-text.ts';

/** Longest path, bytes of UTF-8 in NFC. */
export const MAX_PATH_BYTES = 512;

/**
 * NFC makes no text shorter than a third of its bytes (three Hangul letters become one syllable), so
 * nothing longer than this can come within the limit. Normalising is not linear in a run of marks.
 */
const MAX_RAW_BYTES = 4 * MAX_PATH_BYTES;

/**
 * The path of a page in NFC: segments joined by `/`, 1 to 512 bytes of UTF-8. Case and spaces are
 * kept. Parsing a parsed path changes nothing.
 *
 * @param field  where it came from, as a dotted path
 * @throws {InvalidInputError} naming `field` and the rule that failed
 */
export function parsePagePath(value: string, field = 'path'): string {
  const reading = read(value);
  if (typeof reading === 'string') return reading;
  throw new InvalidInputError(field, reading.expected, reading.received ?? quoteText(value));
}

/** The path in NFC, or null where the text is no legal path: for prose, which is never at fault. */
export function readPagePath(value: string): string | null {
  const reading = read(value);
  return typeof reading === 'string' ? reading : null;
}

type Fault = { readonly expected: string; readonly received?: string };

function read(value: string): string | Fault {
  if (value === '') return { expected: 'a path of at least one byte', received: 'an empty text' };

  const rawBytes = Buffer.byteLength(value);
  if (rawBytes > MAX_RAW_BYTES) return tooLong(rawBytes);
  if (!value.isWellFormed()) return { expected: 'a path without lone surrogates' };

  const path = value.normalize('NFC');
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_PATH_BYTES) return tooLong(bytes);
  if (/\p{Cc}/u.test(path)) return { expected: 'a path without control characters' };
  if (path.startsWith('/')) return { expected: 'a path without a leading /' };
  if (path.endsWith('/')) return { expected: 'a path without a trailing /' };

  const segments = path.split('/');
  if (segments.includes('')) return { expected: 'a path without an empty segment' };
  if (segments.includes('.')) return { expected: 'a path without a . segment' };
  if (segments.includes('..')) return { expected: 'a path without a .. segment' };
  return path;
}

function tooLong(bytes: number): Fault {
  const expected = `a path of at most ${MAX_PATH_BYTES} bytes of UTF-8`;
  return { expected, received: `${bytes} bytes` };
}
