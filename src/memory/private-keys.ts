const KEY_EDGE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
/** The lines of a key that was cut off, with the marks of quotes and lists before them. */
const KEY_LINES = /(?:(?:\s|\\[rn]|[>|+*#"',]){1,16}[A-Za-z0-9+/]{16,}={0,2})+/uy;

/** From each beginning to its end; where there is none, as far as it reads like a key. */
export function replacePrivateKeys(text: string, mark: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const edges = [...text.matchAll(KEY_EDGE)];
  let result = '';
  let done = 0;
  for (const [index, edge] of edges.entries()) {
    if (edge[1] !== 'BEGIN' || edge.index < done) continue;
    const inside = edge.index + edge[0].length;
    const next = edges[index + 1];
    let end = inside;
    if (next?.[1] === 'END') {
      if (/[A-Za-z0-9+/]{16}/u.test(text.slice(inside, next.index))) {
        end = next.index + next[0].length;
      }
    } else {
      KEY_LINES.lastIndex = inside;
      if (KEY_LINES.test(text)) end = KEY_LINES.lastIndex;
    }
    if (end === inside) continue;
    result += text.slice(done, edge.index) + mark;
    done = end;
  }
  return result + text.slice(done);
}
