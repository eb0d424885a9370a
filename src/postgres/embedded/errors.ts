import { MemoryError } from '../../memory/errors.ts';

/** Another process works in the data folder. */
export class DataFolderLockedError extends MemoryError {
  override readonly name = 'DataFolderLockedError';
  readonly code = 'DATA_FOLDER_LOCKED';
  override readonly retryable = true;

  /** @param holder  what the lock file says; null when it says nothing that can be read */
  constructor(
    dataFolder: string,
    holder: { readonly pid: number; readonly host: string; readonly startedAt: string } | null,
  ) {
    const by =
      holder === null
        ? 'a process that is just starting'
        : `process ${holder.pid} on ${holder.host} (since ${holder.startedAt})`;
    super(
      `The data folder ${dataFolder} is in use by ${by}. Stop it first, or use another data folder.`,
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'this user may not write it',
  EPERM: 'this user may not write it',
  EROFS: 'its file system may not be written',
  ENOSPC: 'its disk is full',
};

/** Why a path is no folder that can be written, in words. @param cause  what Node threw; its code chooses them */
export function reasonOfFolder(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'an error';
  return REASONS[code] ?? `it gave ${code}`;
}

/** There is no folder at the path of the data folder, and none can be made, or it cannot be written. */
export class DataFolderUnusableError extends MemoryError {
  override readonly name = 'DataFolderUnusableError';
  readonly code = 'DATA_FOLDER_UNUSABLE';

  /** @param cause  what Node threw */
  constructor(dataFolder: string, cause: unknown) {
    super(
      `Expected the data folder ${dataFolder} to be a folder that can be written, but ${reasonOfFolder(cause)}. Set CAUSEWAY_DATA to the path of another folder.`,
      { cause },
    );
  }
}

/** The data folder cannot be opened by this version; nothing in it was changed. */
export class DataFolderVersionError extends MemoryError {
  override readonly name = 'DataFolderVersionError';
  readonly code = 'DATA_FOLDER_VERSION';

  /** @param found  major version of Postgres that made the folder; null when there is none to see */
  constructor(folder: string, found: string | null, expected: string) {
    super(
      found === null
        ? `${folder} is not a Postgres data folder. Move it away, or use another data folder.`
        : `${folder} was made by Postgres ${found}, but this version of Causeway needs ${expected}. ` +
            'Make a backup with the version of Causeway that wrote it, and restore that here.',
    );
  }
}
