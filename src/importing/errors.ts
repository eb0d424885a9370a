import { MemoryError } from '../memory/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  Z_DATA_ERROR: 'it is no gzip file, or a damaged one',
  Z_BUF_ERROR: 'it is a gzip file that was cut off',
};

/** A file to import cannot be read, from the start or from some place on. */
export class UnreadableFileError extends MemoryError {
  override readonly name = 'UnreadableFileError';
  readonly code = 'UNREADABLE_FILE';

  /** @param cause  what Node threw; its code chooses the words */
  constructor(file: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = REASONS[code] ?? (code === '' ? 'reading it failed' : `reading it gave ${code}`);
    super(`Expected a file that can be read at ${file}, but ${reason}.`, { cause });
  }
}
