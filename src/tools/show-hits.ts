import type { JsonObject } from '../memory/attributes.ts';
import type { RecallHit } from '../memory/explain-hits.ts';
import type { Page, PageId } from '../memory/page.ts';
import type { Recall } from '../memory/recall.ts';
import type { View } from '../memory/view.ts';
import { saidOfEnd } from './edge-words.ts';
import { fitBudget } from './fit-budget.ts';
import { nameOf } from './named-pages.ts';
import { toNoteLines } from './notes.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** Ways over edges that one hit tells of; a hub may have a hundred. */
const MAX_WAYS_SHOWN = 3;

/** Pages that hits speak of, by id: `project:path` and the title. */
type Names = ReadonlyMap<PageId, string>;

/**
 * Hits for a model: what to read, and why it is there. As many of the first as the budget has tokens
 * for, with all that the text says; the first always comes.
 *
 * Costs one statement where a hit speaks of pages that are no hits, else none.
 */
export async function showFound(
  { access }: Pick<ToolContext, 'access'>,
  view: View,
  { hits, degraded, truncated }: Recall,
  tokenBudget: number | null,
): Promise<ToolResult> {
  const projects = await access.projects();
  const toName = (page: Page) => nameOf(page, projects);
  const known = new Map(hits.map(({ page }) => [page.id, page]));
  const spokenOf = new Set(hits.flatMap(idsOf));
  const missing = [...spokenOf].filter((id) => !known.has(id));
  for (const page of missing.length === 0
    ? []
    : await access.stores.pages.findMany(view, missing)) {
    if (page !== null) known.set(page.id, page);
  }
  const names = new Map([...known].map(([id, page]) => [id, `${toName(page)} “${page.title}”`]));
  const toAnswer = (shown: readonly ShownHit[]): ToolResult => {
    const notes = [
      ...degraded.map(({ arm, reason }) => `the ${arm} arm took no part: ${reason}`),
      ...(truncated ? ['the query was longer than what is searched for'] : []),
      ...(shown.length < hits.length
        ? [`${hits.length - shown.length} more hits did not fit the token budget`]
        : []),
    ];
    const found = shown.length === 0 ? ['Nothing found.'] : shown.map(toLines);
    return {
      result: { hits: shown, ...(notes.length > 0 && { notes }) },
      text: [...found, ...toNoteLines(notes)].join('\n\n'),
    };
  };
  const all = hits.map((hit) => showHit(hit, toName(hit.page), names));
  return toAnswer(fitBudget(all, (shown) => toAnswer(shown).text, tokenBudget));
}

function idsOf({ explain }: RecallHit): readonly PageId[] {
  const ways = explain.graphVia.slice(0, MAX_WAYS_SHOWN).map(({ fromId }) => fromId);
  return [...ways, ...(explain.authority.cap?.by ?? [])];
}

type ShownHit = JsonObject & {
  readonly page: string;
  readonly title: string;
  readonly kind: string;
  readonly passage: string;
  readonly why: readonly string[];
  readonly authority: number;
  readonly confidence: number;
};

function showHit({ page, passage, explain }: RecallHit, name: string, names: Names): ShownHit {
  const { cap } = explain.authority;
  return {
    page: name,
    title: page.title,
    kind: page.kind,
    ...(page.status !== 'ACTIVE' && { status: page.status }),
    passage: passage.text,
    why: toReasons(explain, names),
    authority: round(explain.authority.value),
    ...(cap !== null && { cap: `${cap.name}, at most ${cap.limit}${toAuthors(cap.by, names)}` }),
    confidence: round(explain.confidence.value),
  };
}

function toReasons({ keyword, dense, graphVia, typeHint }: RecallHit['explain'], names: Names) {
  const ways = graphVia.slice(0, MAX_WAYS_SHOWN).map(({ edge, direction, fromId, depth }) => {
    const from = names.get(fromId) ?? 'a page that is gone';
    return `${saidOfEnd(edge, direction)} ${depth === 1 ? from : `a page next to ${from}`}`;
  });
  const more = graphVia.length - ways.length;
  return [
    ...(keyword === null ? [] : [`word match, rank ${keyword.rank}`]),
    ...(dense === null ? [] : [`near in meaning, rank ${dense.rank}`]),
    ...[...new Set(ways)],
    ...(more > 0 ? [`${more} more edges`] : []),
    ...(typeHint.matched ? ['of a hinted kind'] : []),
  ];
}

function toAuthors(ids: readonly PageId[], names: Names): string {
  const authors = ids.map((id) => names.get(id)).filter((name) => name !== undefined);
  return authors.length === 0 ? '' : ` (by ${authors.join(', ')})`;
}

function toLines(hit: ShownHit, index: number): string {
  const { page, title, kind, status, passage, why, authority, cap, confidence } = hit;
  const state = typeof status === 'string' ? `, ${status}` : '';
  const limit = typeof cap === 'string' ? ` (capped: ${cap})` : '';
  return [
    `${index + 1}. ${page} “${title}” [${kind}${state}]`,
    passage,
    `Why: ${[...why, `authority ${authority}${limit}`, `confidence ${confidence}`].join('; ')}`,
  ].join('\n');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
