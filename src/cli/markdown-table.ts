/** A table of Markdown, padded as the formatter would. */
export function toMarkdownTable(
  head: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const rows = [head, widths.map((width) => '-'.repeat(width)), ...cells];
  return rows
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

/** A text with what stands between two lines of it made anew. @throws {Error} without the lines */
export function replaceSection(text: string, begin: string, end: string, section: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`Expected the lines ${begin} and ${end}.`);
  return `${text.slice(0, from)}${begin}\n\n${section}\n\n${text.slice(to)}`;
}
