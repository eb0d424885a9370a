/** Outside text in quotes, ready for a message: `"notes//a"`. At most 80 characters, one line. */
export function quoteText(text: string): string {
  return `"${cut(toVisible(text), MAX_SHOWN - 2)}"`;
}

const MAX_SHOWN = 80;

/** Outside text as one visible line of a message: at most 80 characters. */
export function toShown(text: string): string {
  return text === '' ? 'an empty text' : cut(toVisible(text), MAX_SHOWN);
}

/** Controls could end a log line or turn the reading direction; half a pair is no text. */
function toVisible(text: string): string {
  return text
    .slice(0, 4 * MAX_SHOWN)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** Cut to whole characters, the mark of the cut included. */
function cut(text: string, maxCharacters: number): string {
  const characters = [...text];
  if (characters.length <= maxCharacters) return text;
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
