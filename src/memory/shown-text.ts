/** Outside text in quotes, ready for a message: `"notes//a"`. At most 80 characters, one line. */
export function quoteText(text: string): string {
  return `"${cut(toVisible(text), MAX_SHOWN - 2)}"`;
}

const MAX_SHOWN = 80;

/** Outside text as one visible line of a message: at most 80 characters. */
export function toShown(text: string): string {
  return text === '' ? 'an empty text' : cut(toVisible(text), MAX_SHOWN);
}

/** Longest message that repeats outside text, UTF-16 units: 400 of its beginning, the rest of its end. */
const MAX_MESSAGE = 600;
const MAX_BEGINNING = 400;

/** What a message may repeat whole: in quotes, or a name or number. */
const LONG_LITERAL = /"([^"]{80,})"|([^\s"]{80,})/gu;
const MAX_LITERAL = 40;

/**
 * A message that repeats outside text of any length, in short: first its literals are cut, for what is
 * wrong stands between them, and then its middle.
 */
export function shortenMessage(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const short = message.replace(LONG_LITERAL, (_, quoted?: string, bare = '') =>
    quoted === undefined ? begin(bare, MAX_LITERAL) : `"${begin(quoted, MAX_LITERAL)}"`,
  );
  if (short.length <= MAX_MESSAGE) return short;
  const end = short.slice(short.length - (MAX_MESSAGE - MAX_BEGINNING)).toWellFormed();
  return begin(short, MAX_BEGINNING) + end;
}

function begin(text: string, length: number): string {
  return `${text.slice(0, length - 1).toWellFormed()}…`;
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
