import { type BodyLink, bodyLinks, MAX_BODY_LINKS } from './body-links.ts';
import { formatDay, formatInstant } from './instant.ts';
import type { LinkTarget } from './link-target.ts';
import { toOneLine } from './one-line.ts';
import { MAX_BODY_BYTES } from './parse-page-input.ts';
import type { Redactor } from './redaction.ts';
import type { Session } from './session.ts';
import type { DraftObservation, SessionDraft } from './session-store.ts';
import { writeLink } from './write-link.ts';

/** What the end of a session writes. */
export type SessionPage = {
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly links: readonly BodyLink[];
};

/** Kept free for what stands around the observations: agent, task, heading and the last line. */
const FRAME_BYTES = 4_096;
/** Pages that the page of a session links to because it is about them; the rest are for its texts. */
const MAX_LINKED_PAGES = MAX_BODY_LINKS / 2;

/**
 * Where the end of a session writes: under the day it started, named by the session, so that two
 * sessions never meet and the same one always comes to the same page.
 */
export function sessionPath({ id, startedAt }: Pick<Session, 'id' | 'startedAt'>): string {
  return `sessions/${formatDay(startedAt)}/${id}`;
}

/**
 * The page that a session comes to, by rule alone: its observations, most important first and of
 * equal ones the earlier first, each one line with its importance and links to the pages that it is
 * about. What no longer fits into a body, or would link to more than 1,000 pages, is counted in the
 * last line.
 *
 * A session mentions pages and claims nothing of them: whatever its texts look like, they give no
 * typed edge.
 */
export function renderSessionPage(draft: SessionDraft, redactor: Redactor): SessionPage {
  const { session, project, observations, total } = draft;
  const from = { project, path: sessionPath(session) };
  const head = [
    `Agent: ${toOneLine(session.agent)}  `,
    `Task: ${toOneLine(session.task)}  `,
    `Started: ${formatInstant(session.startedAt)}`,
    '',
    '## Observations',
    '',
  ];
  const lines: string[] = [];
  const linked = new Set<string>();
  let bytes = 0;
  for (const observation of observations) {
    const line = redactor.redact(toItem(observation, from));
    bytes += Buffer.byteLength(line) + 1;
    const pages = new Set([...linked, ...observation.paths]);
    if (bytes > MAX_BODY_BYTES - FRAME_BYTES || pages.size > MAX_LINKED_PAGES) break;
    lines.push(line);
    for (const path of observation.paths) linked.add(path);
  }
  const left = total - lines.length;
  const body = [
    ...head.map((line) => redactor.redact(line)),
    ...(total === 0 ? ['None.'] : lines),
    ...(left === 0 ? [] : ['', `Left out, as a page holds no more: ${left} less important.`]),
    '',
  ].join('\n');
  return { path: from.path, title: session.task, body, links: toLinks(body, [...linked], from) };
}

/** Its number goes before its text, so that no text begins a list, a fence or a typed link. */
function toItem({ text, importance, paths }: DraftObservation, from: LinkTarget): string {
  const about =
    paths.length === 0 ? '' : ` About ${paths.map((path) => writeLink(path, from)).join(', ')}.`;
  return `- (${importance}) ${toOneLine(text)}${about}`;
}

/** Those that it is about, and what its texts mention beside them. */
function toLinks(body: string, paths: readonly string[], from: LinkTarget): readonly BodyLink[] {
  const about = paths.map((path) => ({ project: from.project, path }));
  const named = [...about, ...bodyLinks(body, from)].filter(
    ({ project, path }) => project !== from.project || path !== from.path,
  );
  const links = named.map(({ project, path }): [string, BodyLink] => [
    JSON.stringify([project, path]),
    { kind: 'REFERENCES', project, path },
  ]);
  return [...new Map(links).values()].slice(0, MAX_BODY_LINKS);
}
