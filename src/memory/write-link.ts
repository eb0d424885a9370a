import { type LinkTarget, wikiTarget } from './link-target.ts';

/** A link to a page of the same project that means it again, or, where no link can say its path, code. */
export function writeLink(path: string, from: LinkTarget): string {
  const written = [path, `${from.project}:${path}`].find((inside) => {
    if (/[[\]`]/u.test(inside)) return false;
    const target = wikiTarget(inside, { from, isEmbed: false });
    return target?.project === from.project && target.path === path;
  });
  return written === undefined ? `\`${path}\`` : `[[${written}]]`;
}
