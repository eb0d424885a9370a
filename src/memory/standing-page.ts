import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from './attributes.ts';
import { type BodyLink, bodyLinks } from './body-links.ts';
import { STANDING_PATH } from './briefing-store.ts';
import { foldText } from './fold-text.ts';
import type { LinkTarget } from './link-target.ts';
import type { Page } from './page.ts';
import { writeLink } from './write-link.ts';

/** Longest name of a page under `STANDING_PATH`, UTF-16 units; a longer one is cut, and told apart by a digest. */
const MAX_NAME = 80;

/**
 * What `reflect` leaves in the attributes of a page that it wrote. It names the version: any other
 * current one is somebody else's.
 */
const MarkSchema = z.object({ digest: z.string(), version: z.number() });

export type Mark = z.output<typeof MarkSchema>;

export function readMark({ attributes }: Page): Mark | null {
  return MarkSchema.safeParse(attributes.reflect).data ?? null;
}

/** The other attributes of a page stay. */
export function withMark(attributes: JsonObject, mark: Mark): JsonObject {
  return { ...attributes, reflect: mark };
}

/** Whether a page says what `reflect` last wrote there; all else that anybody did to it is a correction. */
export function isOfReflect(page: Page): boolean {
  return page.status === 'ACTIVE' && readMark(page)?.version === page.version;
}

/** What an answer rests on, as one text: another version of a source is other evidence, their order is none. */
export function digestSources(sources: readonly Page[]): string {
  const versions = sources.map(({ id, version }) => `${id}@${version}`);
  return digest(versions.sort().join('\n'));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Where a new answer goes: titles that a reader takes for the same, but for case, accents and
 * punctuation, come to one path.
 *
 * @param title  at most 300 characters
 */
export function standingPath(title: string): string {
  const words = foldText(title).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name = words.join('-');
  return `${STANDING_PATH}/${name.length > 0 && name.length <= MAX_NAME ? name : shorten(name, title)}`;
}

function shorten(name: string, title: string): string {
  const id = digest(name || title).slice(0, 16);
  return name === '' ? id : `${name.slice(0, MAX_NAME - 17).toWellFormed()}-${id}`;
}

/** At the end of a page, behind what it says. */
const SOURCES = /\n\nSources: \[\[.*\n$/u;

/**
 * The body of a standing page: what a model said, then links to its sources. It may claim nothing of
 * any other page, so links are made plain text where they are more than bare mentions of the sources.
 *
 * @returns null where that can't be had, as behind a fence that is not closed
 */
export function renderStandingBody(
  said: string,
  sources: readonly Page[],
  from: LinkTarget,
): string | null {
  const links = sources.map(({ path }) => writeLink(path, from));
  const end = `\n\nSources: ${links.join(', ')}.\n`;
  const wanted = toText(bodyLinks(end, from));
  const text = said.trim();
  return (
    [`${text}${end}`, `${toPlain(text)}${end}`].find(
      (body) => toText(bodyLinks(body, from)) === wanted,
    ) ?? null
  );
}

function toText(links: readonly BodyLink[]): string {
  return links
    .map(({ kind, project, path }) => JSON.stringify([kind, project, path]))
    .sort()
    .join();
}

/** `[[path|label]]` as its label, `[label](path)` as both; a closing bracket before a colon defines no link. */
function toPlain(text: string): string {
  return text
    .replace(/\[\[([^[\]|]*\|)?([^[\]|]*)\]\]/gu, '$2')
    .replaceAll('](', '] (')
    .replaceAll('][', '] [')
    .replaceAll(']:', '] :');
}

/** What a page says, without its links to sources. */
export function withoutSources(body: string): string {
  return body.replace(SOURCES, '\n');
}
