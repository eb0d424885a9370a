import type { Served } from '../memory/served.ts';

/** What a model should know of an answer whose edges lack the last writes. */
export function staleNotes({ isStale }: Pick<Served, 'isStale'>): string[] {
  return isStale ? ['writes of the last moment may be missing'] : [];
}

/** Notes as lines of the text. */
export function toNoteLines(notes: readonly string[]): string[] {
  return notes.map((note) => `Note: ${note}.`);
}
