import { HintsDisabledError, InvalidInputError } from './errors.ts';
import { parseStoredText, type Redactor } from './redaction.ts';

/** Most hints of a page. */
export const MAX_HINTS = 3;
/** Longest hint, bytes of UTF-8: a question, not a paragraph. */
export const MAX_HINT_BYTES = 200;

/**
 * The hints of a write: null and an empty list mean none, the same hint twice counts once. They are
 * checked whether or not the gate is open, and never dropped. Secrets in them are redacted first.
 *
 * @throws {InvalidInputError} naming the rule that failed
 * @throws {HintsDisabledError} if there are any while the gate is closed
 */
export function parseHints(
  hints: readonly string[] | null | undefined,
  field: string,
  { isEnabled, redactor }: { readonly isEnabled: () => boolean; readonly redactor: Redactor },
): readonly string[] {
  const parsed = (hints ?? []).map((hint, index) =>
    parseStoredText(hint, {
      field: `${field}.${index}`,
      allowBlank: false,
      maxBytes: MAX_HINT_BYTES,
      redactor,
    }),
  );
  const distinct = [...new Set(parsed)];
  if (distinct.length > MAX_HINTS) {
    throw new InvalidInputError(field, `at most ${MAX_HINTS} hints`, `${distinct.length} hints`);
  }
  if (distinct.length > 0 && !isEnabled()) throw new HintsDisabledError(field);
  return distinct;
}
