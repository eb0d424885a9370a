import { readPagePath } from './page-path.ts';

/** The natural key of a page, its project by name. */
export type LinkTarget = { readonly project: string; readonly path: string };

/** As for every project's name. */
const MAX_PROJECT_BYTES = 128;

/** What an embedded file is when it is no page. */
const MEDIA = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?|heic|pdf|mp[34]|webm|ogg|wav|mov)$/iu;

/**
 * The page that the inside of `[[…]]` names: `path`, `project:path`, each with `#heading`,
 * `^block` or `|label` after it, all of which is cut off. A colon after a slash belongs to the path.
 *
 * @returns null where it names none, such as `#heading`; that is no fault in prose
 */
export function wikiTarget(
  inside: string,
  { from, isEmbed }: { readonly from: LinkTarget; readonly isEmbed: boolean },
): LinkTarget | null {
  // In a table the bar is written `\|`, or `\\|` after one more round of escaping.
  const name = (inside.split('|', 1)[0] ?? '').replace(/\\{1,2}$/u, '');
  const target = (name.split(/[#^]/u, 1)[0] ?? '').trim();
  if (isEmbed && MEDIA.test(target)) return null;

  const [, prefix, rest = ''] = /^([^:/]*):(.*)$/su.exec(target) ?? [];
  if (prefix === undefined) return toTarget(from.project, target);
  const project = prefix.trim().normalize('NFC');
  const isProject = project !== '' && Buffer.byteLength(project) <= MAX_PROJECT_BYTES;
  return isProject && project.isWellFormed() && !/\p{Cc}/u.test(project)
    ? toTarget(project, rest.trim())
    : null;
}

/**
 * The page of the same project that the destination of a Markdown link names. `./` and `../`
 * start at the folder of the page it stands in; any other path starts at the project's root, with
 * or without a leading `/`. Query, fragment and a trailing `.md` are cut off.
 *
 * @param href  the destination, without angle brackets, backslash escapes and entities
 * @returns null for a URL with a scheme or host, a mere fragment, or no legal path
 */
export function markdownTarget(
  href: string,
  { from, isEmbed }: { readonly from: LinkTarget; readonly isEmbed: boolean },
): LinkTarget | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(href)) return null;
  const path = decodePercent(href.split(/[?#]/u, 1)[0] ?? '');
  if (isEmbed && MEDIA.test(path)) return null;

  const resolved = /^\.\.?\//u.test(path) ? resolve(path, from.path) : path.replace(/^\//u, '');
  return resolved === null ? null : toTarget(from.project, resolved.replace(/\.md$/iu, ''));
}

function toTarget(project: string, value: string): LinkTarget | null {
  const path = readPagePath(value);
  return path === null ? null : { project, path };
}

/** Percent-encoded UTF-8 as text; left as it is where it is none, such as `100%`. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Null where the steps lead out of the project. Costs one pass over both. */
function resolve(relative: string, fromPath: string): string | null {
  const segments = fromPath.split('/').slice(0, -1);
  for (const segment of relative.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return null;
    if (segment !== '.' && segment !== '..') segments.push(segment);
  }
  return segments.join('/');
}
