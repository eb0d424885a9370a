/** A text as one line: its own headings, lists and fences would break up what it is put into. */
export function toOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
