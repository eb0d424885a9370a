import type {
  BriefedContradiction,
  BriefedPage,
  BriefingStore,
  SettledPage,
} from './briefing-store.ts';
import { type Confidence, confidence } from './confidence.ts';
import type { Edge } from './edge.ts';
import { type BriefingSection, type Draft, type Fitted, fitBriefing } from './fit-briefing.ts';
import { formatDay } from './instant.ts';
import type { PageId, Project } from './page.ts';
import { parseCount } from './parse-number.ts';
import type { Stores } from './stores.ts';
import { estimateTokens } from './token-budget.ts';
import type { View } from './view.ts';

/** Tokens of a briefing when the caller does not say: a small part of any model's context. */
export const DEFAULT_BRIEFING_TOKENS = 2_000;
export const MAX_BRIEFING_TOKENS = 32_000;

/** Most pages of each section: what a session can begin with; recall finds the rest. */
const LIMITS = { standing: 10, sessions: 5, problems: 10, contradictions: 10 };
const MAX_SETTLED = 20;
/** Contradictions and replaced content only lower confidence, so those that lead without are looked at with them. */
const WEIGHED_SETTLED = 3 * MAX_SETTLED;

/** Why a page is in a briefing, and what is said of it there. */
export type BriefingItem = {
  readonly pageId: PageId;
  readonly reason: string;
  /** Its lines in the text of the whole. */
  readonly text: string;
  /** Whether there is more of the page than the text says. */
  readonly isCut: boolean;
  /** The contradiction that it is here for; null for any other reason. */
  readonly contradiction: Edge | null;
};

export type Briefing = {
  readonly sections: readonly {
    readonly section: BriefingSection;
    readonly items: readonly BriefingItem[];
  }[];
  /** All of it in Markdown, ready for a prompt; empty when there is nothing to tell. */
  readonly text: string;
  readonly tokens: number;
  /** Whether something was left out or cut because of the budget. */
  readonly truncated: boolean;
};

/**
 * What a new session should start from: standing answers, recent sessions, open problems, unresolved
 * contradictions; led, where asked, by what is settled, highest confidence first. The tokens of the
 * text, as `estimateTokens` counts them, never pass the budget; a larger one tells no less.
 *
 * Costs two statements, and three more for what is settled.
 *
 * @param tokenBudget  1 to 32,000; 2,000 when null
 * @throws {InvalidInputError} unless the budget is whole and positive
 * @throws {LimitExceededError} if it is above 32,000
 */
export async function briefing(
  { briefings, pages }: Pick<Stores, 'briefings' | 'pages'>,
  view: View,
  {
    project,
    settledFirst,
    tokenBudget,
  }: {
    readonly project: Project;
    readonly settledFirst: boolean;
    readonly tokenBudget: number | null;
  },
): Promise<Briefing> {
  const budget = tokenBudget ?? DEFAULT_BRIEFING_TOKENS;
  parseCount('tokenBudget', budget, MAX_BRIEFING_TOKENS);
  const listed = await briefings.read(view, project.id, { ...LIMITS, withSettled: settledFirst });
  const settled = settledFirst
    ? await chooseSettled({ briefings, pages }, view, listed.settled)
    : [];
  const { text, sections, truncated } = fitBriefing(project.name, budget, [
    { section: 'SETTLED', drafts: settled },
    { section: 'STANDING_ANSWERS', drafts: listed.standing.map(toStanding) },
    { section: 'RECENT_SESSIONS', drafts: listed.sessions.map(toSession) },
    { section: 'OPEN_PROBLEMS', drafts: listed.problems.map(toProblem) },
    { section: 'UNRESOLVED_CONTRADICTIONS', drafts: listed.contradictions.map(toContradiction) },
  ]);
  return {
    text,
    tokens: estimateTokens(text),
    truncated,
    sections: sections.map(({ section, fitted }) => ({ section, items: fitted.map(toItem) })),
  };
}

type SettledDraft = Draft & { readonly contradiction: null };

async function chooseSettled(
  { briefings, pages }: { readonly briefings: BriefingStore; readonly pages: Stores['pages'] },
  view: View,
  all: readonly SettledPage[],
): Promise<readonly SettledDraft[]> {
  const leading = all
    .map(({ id, evidence }) => ({ id, confidence: confidence(evidence, view) }))
    .sort(byConfidence)
    .slice(0, WEIGHED_SETTLED)
    .map(({ id }) => id);
  const evidence = await pages.evidence(view, leading);
  const best = leading
    .flatMap((id, index) => {
      const summary = evidence[index];
      return summary ? [{ id, confidence: confidence(summary, view) }] : [];
    })
    .sort(byConfidence)
    .slice(0, MAX_SETTLED);
  const found = await briefings.findMany(
    view,
    best.map(({ id }) => id),
  );
  return best.flatMap(({ confidence: weight }, index) => {
    const page = found[index] ?? null;
    return page === null ? [] : [toSettled(page, weight)];
  });
}

type Believed = { readonly id: PageId; readonly confidence: Confidence };

/** Of equal ones the newer page, which has the greater id. */
function byConfidence(a: Believed, b: Believed): number {
  return b.confidence.value - a.confidence.value || (a.id > b.id ? -1 : 1);
}

function toSettled(page: BriefedPage, { value, distinctSessions }: Confidence): SettledDraft {
  const sessions = `${distinctSessions} ${distinctSessions === 1 ? 'session' : 'sessions'}`;
  const how = `confidence ${value.toFixed(2)} from ${sessions}`;
  return draft(page, { note: `${page.kind}, ${how}`, reason: `A ${page.kind} of ${how}.` });
}

function toStanding(page: BriefedPage): Draft {
  return draft(page, { note: null, reason: 'A standing answer of the project.' });
}

function toSession(page: BriefedPage): Draft {
  const day = formatDay(page.recordedAt);
  return draft(page, { note: day, reason: `A recent session, of ${day}.` });
}

function toProblem(page: BriefedPage): Draft {
  return draft(page, { note: null, reason: 'An open problem: nothing that you see fixes it.' });
}

function toContradiction({ edge, challenged, challenger }: BriefedContradiction): Draft {
  const by = `disputed by "${challenger.path}" (${challenger.title})`;
  return {
    ...draft(challenged, {
      note: edge.note === null ? by : `${by}: ${edge.note}`,
      reason: `Disputed by "${challenger.path}", and nobody has settled it.`,
    }),
    contradiction: edge,
  };
}

function draft(
  page: BriefedPage,
  { note, reason }: { readonly note: string | null; readonly reason: string },
): SettledDraft {
  return { page, note, reason, contradiction: null };
}

function toItem({ draft: { page, reason, contradiction }, text, isCut }: Fitted): BriefingItem {
  return { pageId: page.id, reason, text, isCut, contradiction };
}
