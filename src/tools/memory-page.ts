import { z } from 'zod';
import type { JsonObject } from '../memory/attributes.ts';
import type { Step } from '../memory/edge.ts';
import { formatInstant } from '../memory/instant.ts';
import type { Page } from '../memory/page.ts';
import { accountOf, type PageAccount } from '../memory/page-account.ts';
import { estimateTokens } from '../memory/token-budget.ts';
import { AS_OF, PROJECT, text, toAsOf, tokenBudgetOfPage } from './arguments.ts';
import { saidOfStart } from './edge-words.ts';
import { fitItems } from './fit-budget.ts';
import { findNamed, nameOf } from './named-pages.ts';
import { staleNotes, toNoteLines } from './notes.ts';
import { defineTool, type ToolResult } from './tool.ts';

/** Edges of one page that a model is shown; `memory.traverse` reaches the others. */
const MAX_EDGES = 30;
/** A body may be as long as a book; no model should be filled by a call that did not ask for it. */
const DEFAULT_TOKEN_BUDGET = 10_000;

export const memoryPage = defineTool({
  name: 'memory.page',
  version: '1.0.0',
  isAdvertised: true,
  scope: 'memory:read',
  description: 'Read a page whole, with its typed edges both ways, its status and confidence.',
  schema: z
    .strictObject({
      page: text('the name of a page').describe('project:path, or path.'),
      as_of: AS_OF,
      token_budget: tokenBudgetOfPage(DEFAULT_TOKEN_BUDGET),
      project: PROJECT,
    })
    .meta({ examples: [{ page: 'ops:incidents/checkout' }] }),
  async handler(context, args) {
    const { access } = context;
    const view = await access.viewAt(toAsOf(args.as_of, access.stores.clock()));
    const projects = await access.projects();
    const names = [{ name: args.page, field: 'page' }];
    const home = { given: args.project, settings: context };
    const [page] = await findNamed(access, view, names, { projects, home });
    if (page === undefined) throw new Error('Expected one page, but got none.');

    const account = await accountOf(access.stores, view, page, MAX_EDGES);
    const facts = showFacts(page, nameOf(page, projects), account);
    const edges = account.neighbours.map(({ step, page: other }) =>
      showEdge(step, `${nameOf(other, projects)} “${other.title}”`),
    );
    const toAnswer = (shown: Shown): ToolResult => {
      const more = account.moreEdges + edges.length - shown.edges.length;
      const listed = more > 0 ? [...shown.edges, `and ${more} more`] : shown.edges;
      const notes = [
        ...(shown.body.length < page.body.length
          ? [`the body has ${estimateTokens(page.body)} tokens; raise token_budget to read all`]
          : []),
        ...staleNotes(account.served),
      ];
      const known = { ...facts, edges: listed };
      const noteLines = notes.length === 0 ? [] : ['', ...toNoteLines(notes)];
      return {
        result: { ...known, body: shown.body, ...(notes.length > 0 && { notes }) },
        text: [...toLines(known), '', shown.body, ...noteLines].join('\n'),
      };
    };
    const tokensOf = (shown: Shown) => estimateTokens(toAnswer(shown).text);
    const budget = args.token_budget ?? DEFAULT_TOKEN_BUDGET;
    return toAnswer(fitPage({ edges, body: page.body }, tokensOf, budget));
  },
});

/** What a budget cuts: the first edges, and the beginning of the body. */
type Shown = { readonly edges: readonly string[]; readonly body: string };

/** Half of what the facts leave is for the edges, and as much more as the body leaves. */
function fitPage(all: Shown, tokensOf: (shown: Shown) => number, budget: number): Shown {
  if (tokensOf(all) <= budget) return all;
  const left = Math.max(0, budget - tokensOf({ edges: [], body: '' }));
  const forBody = Math.min(estimateTokens(all.body), Math.floor(left / 2));
  const edges = fitItems(all.edges, (shown) => tokensOf({ edges: shown, body: '' }), {
    budget: budget - forBody,
    least: 0,
  });
  return { edges, body: cutText(all.body, budget - tokensOf({ edges, body: '' })) };
}

function showEdge({ edge, direction }: Step, other: string): string {
  const state = edge.resolution === null ? '' : ` (${edge.resolution.toLowerCase()})`;
  const note = edge.note === null ? '' : `: ${edge.note}`;
  return `${saidOfStart(edge.kind, direction)} ${other}${state}${note}`;
}

/** What a write would clear is here, so that a model can write it back. */
function showFacts(page: Page, name: string, account: PageAccount): JsonObject {
  return {
    page: name,
    title: page.title,
    kind: page.kind,
    status: page.status,
    version: page.version,
    versions: account.versions,
    recorded_at: formatInstant(page.recordedAt),
    ...(page.validFrom !== null && { valid_from: formatInstant(page.validFrom) }),
    ...(page.validTo !== null && { valid_to: formatInstant(page.validTo) }),
    importance: page.importance,
    confidence: Math.round(account.confidence * 1000) / 1000,
    ...(page.tags.length > 0 && { tags: page.tags }),
    ...(page.hints.length > 0 && { hints: page.hints }),
    ...(Object.keys(page.attributes).length > 0 && { attributes: page.attributes }),
  };
}

function toLines({ page, title, edges, ...facts }: JsonObject): string[] {
  const told = Object.entries(facts).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const listed = Array.isArray(edges) ? edges.map((edge) => `- ${edge}`) : [];
  return [`# ${title}`, `${page}: ${told.join(', ')}`, ...listed];
}

/** The beginning of a text that fits the tokens, in whole characters of Unicode. */
function cutText(text: string, tokens: number): string {
  const bytes = Buffer.from(text);
  const most = Math.max(0, tokens) * 4;
  if (bytes.length <= most) return text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most), {
    stream: true,
  });
}
