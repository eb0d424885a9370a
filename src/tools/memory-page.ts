import { z } from 'zod';
import type { JsonObject } from '../memory/attributes.ts';
import { confidence } from '../memory/confidence.ts';
import { type Step, TYPED_EDGE_KINDS } from '../memory/edge.ts';
import { formatInstant } from '../memory/instant.ts';
import type { Page } from '../memory/page.ts';
import { estimateTokens } from '../memory/token-budget.ts';
import type { View } from '../memory/view.ts';
import { AS_OF, PROJECT, TOKEN_BUDGET, text, toAsOf } from './arguments.ts';
import { saidOfStart } from './edge-words.ts';
import { findNamed, nameOf } from './named-pages.ts';
import { defineTool, type ToolContext } from './tool.ts';

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
      token_budget: TOKEN_BUDGET.describe(
        `Most tokens of the answer, ${DEFAULT_TOKEN_BUDGET} when left out; a longer body is cut.`,
      ),
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

    const about = await readAbout(context, view, page);
    const head = showHead(page, nameOf(page, projects), about);
    const budget = args.token_budget ?? DEFAULT_TOKEN_BUDGET;
    const body = cutText(page.body, budget - estimateTokens(JSON.stringify(head)));
    const isCut = body.length < page.body.length;
    const cut = `the body has ${estimateTokens(page.body)} tokens; raise token_budget to read all`;
    return {
      result: { ...head, body, ...(isCut && { notes: [cut] }) },
      text: [...toLines(head), '', body, ...(isCut ? ['', `Note: ${cut}.`] : [])].join('\n'),
    };
  },
});

type About = {
  readonly versions: number;
  readonly confidence: number;
  readonly edges: readonly string[];
};

/** What hangs on a page. Four statements, one of them for the pages at the other ends. */
async function readAbout({ access }: ToolContext, view: View, page: Page): Promise<About> {
  const { stores } = access;
  const request = { kinds: TYPED_EDGE_KINDS, direction: 'BOTH', first: MAX_EDGES } as const;
  const [[list], [history], [evidence]] = await Promise.all([
    stores.graph.listEdges(view, [{ pageId: page.id, after: null, ...request }]),
    stores.pages.listVersions(view, [{ pageId: page.id, first: 1, before: null }]),
    stores.pages.evidence(view, [page.id]),
  ]);
  const steps = list?.edges ?? [];
  const others = await stores.pages.findMany(view, steps.map(otherEnd));
  const projects = await access.projects();
  const edges = steps.flatMap((step, index) => {
    const other = others[index] ?? null;
    return other === null ? [] : [showEdge(step, `${nameOf(other, projects)} “${other.title}”`)];
  });
  const more = (list?.total ?? 0) - steps.length;
  const now = view.asOf?.recordedAt ?? view.now;
  return {
    versions: history?.total ?? page.version,
    confidence:
      evidence === undefined ? 0 : Math.round(confidence(evidence, now).value * 1000) / 1000,
    edges: more > 0 ? [...edges, `and ${more} more`] : edges,
  };
}

function otherEnd({ edge, direction }: Step): string {
  return direction === 'OUT' ? edge.toId : edge.fromId;
}

function showEdge({ edge, direction }: Step, other: string): string {
  const state = edge.resolution === null ? '' : ` (${edge.resolution.toLowerCase()})`;
  const note = edge.note === null ? '' : `: ${edge.note}`;
  return `${saidOfStart(edge.kind, direction)} ${other}${state}${note}`;
}

/** Everything but the body. What a write would clear is here, so that a model can write it back. */
function showHead(page: Page, name: string, about: About): JsonObject & { readonly page: string } {
  return {
    page: name,
    title: page.title,
    kind: page.kind,
    status: page.status,
    version: page.version,
    versions: about.versions,
    recorded_at: formatInstant(page.recordedAt),
    ...(page.validFrom !== null && { valid_from: formatInstant(page.validFrom) }),
    ...(page.validTo !== null && { valid_to: formatInstant(page.validTo) }),
    importance: page.importance,
    confidence: about.confidence,
    ...(page.tags.length > 0 && { tags: page.tags }),
    ...(page.hints.length > 0 && { hints: page.hints }),
    ...(Object.keys(page.attributes).length > 0 && { attributes: page.attributes }),
    edges: about.edges,
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
