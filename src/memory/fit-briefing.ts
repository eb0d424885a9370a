import type { BriefedPage } from './briefing-store.ts';
import { characterStart } from './character-start.ts';
import type { Edge } from './edge.ts';
import { toOneLine } from './one-line.ts';
import { BYTES_PER_TOKEN } from './token-budget.ts';

/** In the order of the text. */
export const BRIEFING_SECTIONS = [
  'SETTLED',
  'STANDING_ANSWERS',
  'RECENT_SESSIONS',
  'OPEN_PROBLEMS',
  'UNRESOLVED_CONTRADICTIONS',
] as const;
export type BriefingSection = (typeof BRIEFING_SECTIONS)[number];

const HEADINGS: { readonly [Section in BriefingSection]: string } = {
  SETTLED: 'Settled',
  STANDING_ANSWERS: 'Standing answers',
  RECENT_SESSIONS: 'Recent sessions',
  OPEN_PROBLEMS: 'Open problems',
  UNRESOLVED_CONTRADICTIONS: 'Unresolved contradictions',
};

/** Most characters said of a body or in a note; of a standing answer, which was written to be read here, all that was read. */
const SAID_CHARACTERS = 320;
/** Fewer characters of a body than this say nothing. */
const MIN_SAID_CHARACTERS = 40;

/** A page that may come into a briefing. */
export type Draft = {
  readonly page: BriefedPage;
  /** What stands behind the title; null for nothing. */
  readonly note: string | null;
  readonly reason: string;
  readonly contradiction: Edge | null;
};

export type Fitted = { readonly draft: Draft; readonly text: string; readonly isCut: boolean };

export type FittedBriefing = {
  readonly text: string;
  /** Those that have something. */
  readonly sections: readonly {
    readonly section: BriefingSection;
    readonly fitted: readonly Fitted[];
  }[];
  readonly truncated: boolean;
};

/**
 * Puts pages into one text of Markdown whose tokens do not pass the budget. The sections take turns,
 * first page by first page, so that a small budget has something of each; the first page that does not
 * fit is cut to fit, or left out, and ends it. So a larger budget has all that a smaller one has.
 *
 * @param budget  tokens, as `estimateTokens` counts them
 */
export function fitBriefing(
  project: string,
  budget: number,
  drafts: readonly { readonly section: BriefingSection; readonly drafts: readonly Draft[] }[],
): FittedBriefing {
  const head = `# Briefing: ${toOneLine(project)}\n`;
  const fitted = new Map<BriefingSection, Fitted[]>();
  let room = budget * BYTES_PER_TOKEN - Buffer.byteLength(head);
  let truncated = false;

  for (const { section, draft } of inTurns(drafts)) {
    const heading = fitted.has(section) ? '' : toHeading(section);
    const left = room - Buffer.byteLength(heading);
    const item = place(draft, section === 'STANDING_ANSWERS', left);
    if (item === null || item.isShortened) truncated = true;
    if (item === null) break;
    fitted.set(section, [...(fitted.get(section) ?? []), item.fitted]);
    room = left - Buffer.byteLength(item.fitted.text);
    if (item.isShortened) break;
  }

  const sections = drafts.flatMap(({ section }) => {
    const own = fitted.get(section);
    return own === undefined ? [] : [{ section, fitted: own }];
  });
  const parts = sections.map(
    ({ section, fitted: own }) => toHeading(section) + own.map(({ text }) => text).join(''),
  );
  return { text: parts.length === 0 ? '' : head + parts.join(''), sections, truncated };
}

function toHeading(section: BriefingSection): string {
  return `\n## ${HEADINGS[section]}\n`;
}

function* inTurns(
  sections: readonly { readonly section: BriefingSection; readonly drafts: readonly Draft[] }[],
): Generator<{ readonly section: BriefingSection; readonly draft: Draft }> {
  const longest = Math.max(0, ...sections.map(({ drafts }) => drafts.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const { section, drafts } of sections) {
      const draft = drafts[turn];
      if (draft !== undefined) yield { section, draft };
    }
  }
}

/** A page's lines in so many bytes; null when not even its beginning fits. */
function place(
  draft: Draft,
  isWholeWanted: boolean,
  room: number,
): { readonly fitted: Fitted; readonly isShortened: boolean } | null {
  const { path, title, excerpt, isWhole } = draft.page;
  const note = draft.note === null ? '' : ` (${cut(toOneLine(draft.note), SAID_CHARACTERS)})`;
  const start = `- ${toOneLine(title)} [${path}]${note}`;
  const body = toOneLine(excerpt);
  const wanted = isWholeWanted ? body : cut(body, SAID_CHARACTERS);
  const make = (said: string): Fitted => ({
    draft,
    text: said === '' ? `${start}\n` : `${start}: ${said}\n`,
    isCut: !isWhole || said.length < body.length,
  });

  const whole = make(wanted);
  if (Buffer.byteLength(whole.text) <= room) return { fitted: whole, isShortened: false };
  const spare = room - Buffer.byteLength(`${start}: …\n`);
  const some = beginningOf(wanted, spare);
  if (some.length < MIN_SAID_CHARACTERS) return null;
  return { fitted: make(`${some}…`), isShortened: true };
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, characterStart(text, 0, most - 1)).trimEnd()}…`;
}

/** The longest beginning of whole characters in so many bytes. */
function beginningOf(text: string, bytes: number): string {
  if (bytes <= 0) return '';
  // A UTF-16 unit takes a byte at least; what takes more shortens it further.
  let end = Math.min(text.length, bytes);
  while (end > 0 && Buffer.byteLength(text.slice(0, end)) > bytes) end -= 1;
  return text.slice(0, characterStart(text, 0, end)).trimEnd();
}
