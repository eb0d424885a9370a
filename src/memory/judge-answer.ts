import { STANDING_PATH } from './briefing-store.ts';
import type { LinkTarget } from './link-target.ts';
import { type Page, type Project, SENSITIVITIES, sensitivityRank } from './page.ts';
import { readPagePath } from './page-path.ts';
import { MAX_TITLE_CHARACTERS, type PageInput } from './parse-page-input.ts';
import { parseStoredText, type Redactor } from './redaction.ts';
import type { StandingAnswer } from './reflect-prompt.ts';
import {
  digestSources,
  isOfReflect,
  readMark,
  renderStandingBody,
  standingPath,
  withMark,
} from './standing-page.ts';

/** Most standing pages of a project that `reflect` makes or keeps: more would be no beginning to read. */
export const MAX_STANDING_PAGES = 50;
/** Longest that a model's answer may be, bytes of UTF-8; it is asked for much less. */
const MAX_SAID_BYTES = 32 * 1024;
/** Most sources of one answer: each is a session that was shown. */
const MAX_SOURCES = 50;

/** What the answers of one asking are judged by. */
export type Ground = {
  readonly project: Project;
  /** 0 to 3: nothing above it was shown. */
  readonly sensitivity: number;
  /** The sessions that were shown. */
  readonly sessions: readonly Page[];
  /** All standing pages that the caller sees, whatever their status. */
  readonly standing: readonly Page[];
  readonly redactor: Redactor;
};

/** What becomes of an answer. `page`: the one that is there, if it may be told. */
export type Judgement =
  | { readonly kind: 'WRITE'; readonly input: PageInput; readonly digest: string }
  | { readonly kind: 'UNCHANGED' | 'KEPT_HUMAN'; readonly page: Page; readonly reason: string }
  | { readonly kind: 'REFUSED'; readonly reason: string };

/**
 * Decides by rule what a model's answer comes to. It takes the place of the page at its path, or of the
 * same title, or at the path that the title comes to; and of that one only where `reflect` wrote what
 * is there and the answer rests on something else now. It is as sensitive as its most sensitive source.
 *
 * @param sources  those sessions of the ground that it names
 * @param field    prefix of field names in errors
 * @throws {InvalidInputError} for text that no page holds, or too much of it
 */
export function judgeAnswer(
  ground: Ground,
  answer: StandingAnswer,
  sources: readonly Page[],
  field: string,
): Judgement {
  const { project, redactor } = ground;
  if (!sources.some(({ sensitivity }) => sensitivityRank(sensitivity) === ground.sensitivity)) {
    const level = SENSITIVITIES[ground.sensitivity];
    return refuse(`It names no session of sensitivity ${level} that the model was shown.`);
  }
  const title = parseStoredText(answer.title.replace(/\s+/gu, ' ').trim(), {
    field: `${field}title`,
    allowBlank: false,
    maxCharacters: MAX_TITLE_CHARACTERS,
    redactor,
  });
  const said = parseStoredText(answer.body, {
    field: `${field}body`,
    allowBlank: false,
    maxBytes: MAX_SAID_BYTES,
    redactor,
  });

  const found = findPage(ground.standing, answer.path ?? null, title);
  if (typeof found === 'string') return refuse(found);
  const digest = digestSources(sources);
  if (found === null && ground.standing.length >= MAX_STANDING_PAGES) {
    return refuse(`The project has ${MAX_STANDING_PAGES} standing pages already.`);
  }
  if (found !== null) {
    const kept = keep(found, digest, ground.sensitivity);
    if (kept !== null) return kept;
  }

  const path = found?.path ?? standingPath(title);
  const from: LinkTarget = { project: project.name, path };
  const body = renderStandingBody(said, sources, from);
  if (body === null) return refuse('Its body hides the links to its sources, or has others.');
  const isSame =
    found !== null && found.kind === answer.kind && found.title === title && found.body === body;
  const version = (found?.version ?? 0) + (isSame ? 0 : 1);
  return {
    kind: 'WRITE',
    digest,
    input: {
      projectId: project.id,
      path,
      title,
      body,
      kind: answer.kind,
      // A write replaces all of these.
      tags: found?.tags,
      importance: found?.importance,
      hints: found === null || found.hints.length === 0 ? null : found.hints,
      attributes: withMark(found?.attributes ?? {}, { digest, version }),
      sensitivity: SENSITIVITIES[ground.sensitivity],
      expectedVersion: found?.version ?? 0,
    },
  };
}

/** The sessions that an answer names, each once, and how many of its sources are none that was shown. */
export function findSources(
  sessions: readonly Page[],
  named: readonly string[],
): { readonly sources: readonly Page[]; readonly dropped: number } {
  const shown = new Map(sessions.map((page) => [page.path, page]));
  const paths = [...new Set(named)];
  const sources = paths.slice(0, MAX_SOURCES).flatMap((path) => shown.get(path) ?? []);
  return { sources, dropped: paths.length - sources.length };
}

/** The page that an answer is about; null for none yet; or why it may be about none. */
function findPage(standing: readonly Page[], path: string | null, title: string) {
  const titled = standingPath(title);
  const byTitle =
    standing.find((page) => standingPath(page.title) === titled) ??
    standing.find((page) => page.path === titled) ??
    null;
  if (path === null) return byTitle;
  const byPath = standing.find((page) => page.path === path);
  if (byPath !== undefined) {
    const isAnother = byTitle !== null && byTitle !== byPath;
    return isAnother ? 'Its path is of one page and its title of another.' : byPath;
  }
  // Some models make up a path for a new page; its title says where that goes.
  const isUnder = readPagePath(path)?.startsWith(`${STANDING_PATH}/`) ?? false;
  return isUnder ? byTitle : 'Its path is of no standing page.';
}

/** Why a page stays as it is; null where the answer takes its place. */
function keep(page: Page, digest: string, sensitivity: number): Judgement | null {
  if (!isOfReflect(page)) {
    const reason = 'Somebody else has written, archived or replaced the page since.';
    return { kind: 'KEPT_HUMAN', page, reason };
  }
  if (sensitivityRank(page.sensitivity) > sensitivity) {
    const reason = 'The page rests on sessions that are more sensitive.';
    return { kind: 'UNCHANGED', page, reason };
  }
  if (readMark(page)?.digest !== digest) return null;
  return { kind: 'UNCHANGED', page, reason: 'It rests on the same sessions as before.' };
}

function refuse(reason: string): Judgement {
  return { kind: 'REFUSED', reason };
}
