import { z } from 'zod';
import { DIRECTIONS, EDGE_KINDS, type Step } from '../memory/edge.ts';
import { HARD_MAX_DEPTH } from '../memory/graph-limits.ts';
import type { Page, PageId } from '../memory/page.ts';
import { estimateTokens, withinBudget } from '../memory/token-budget.ts';
import { type ReachedPage, traverse } from '../memory/traverse.ts';
import { AS_OF, listOf, oneOf, PROJECT, TOKEN_BUDGET, text, toAsOf, whole } from './arguments.ts';
import { saidOfEnd } from './edge-words.ts';
import { findNamed, nameOf } from './named-pages.ts';
import { defineTool } from './tool.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 30;

export const memoryTraverse = defineTool({
  name: 'memory.traverse',
  version: '1.0.0',
  isAdvertised: true,
  scope: 'memory:read',
  description:
    'Walk edges from a page, nearest first. Why it happened: CAUSES IN; what came of it: CAUSES OUT; what fixed it: FIXES IN.',
  schema: z
    .strictObject({
      from: text('the name of a page').describe('project:path, or path.'),
      kinds: listOf(oneOf(EDGE_KINDS), 'kinds')
        .optional()
        .describe('All but REFERENCES when left out.'),
      direction: oneOf(DIRECTIONS).optional().describe('OUT when left out.'),
      depth: whole(1, HARD_MAX_DEPTH).optional().describe('Hops; 2 when left out.'),
      limit: whole(1, MAX_LIMIT).optional().describe(`Pages; ${DEFAULT_LIMIT} when left out.`),
      as_of: AS_OF,
      token_budget: TOKEN_BUDGET,
      project: PROJECT,
    })
    .meta({
      examples: [{ from: 'ops:incidents/checkout', kinds: ['CAUSES'], direction: 'IN' }],
    }),
  async handler({ access, ...settings }, args) {
    const view = await access.viewAt(toAsOf(args.as_of, access.stores.clock()));
    const projects = await access.projects();
    const names = [{ name: args.from, field: 'from' }];
    const home = { given: args.project, settings };
    const [start] = await findNamed(access, view, names, { projects, home });
    if (start === undefined) throw new Error('Expected one page, but got none.');

    const walked = await traverse(
      access.stores,
      view,
      {
        from: [start.id],
        ...(args.kinds && { kinds: args.kinds }),
        ...(args.direction && { direction: args.direction }),
        ...(args.depth !== undefined && { depth: args.depth }),
        // The page that it starts from counts as one.
        maxPages: (args.limit ?? DEFAULT_LIMIT) + 1,
      },
      settings,
    );
    const reached = walked.pages.filter(({ depth }) => depth > 0);
    const ids = reached.map(({ pageId }) => pageId);
    const found = ids.length === 0 ? [] : await access.stores.pages.findMany(view, ids);
    const pages = new Map(
      [start, ...found].flatMap((page) => (page === null ? [] : [[page.id, page]])),
    );
    const nameOfId = (id: PageId) => {
      const page = pages.get(id);
      return page === undefined ? 'a page that is gone' : nameOf(page, projects);
    };
    const lines = reached.flatMap((each) => {
      const page = pages.get(each.pageId);
      return page === undefined ? [] : [showReached(each, page, nameOfId)];
    });
    const shown = withinBudget(
      lines,
      (line) => estimateTokens(JSON.stringify(line)),
      args.token_budget ?? null,
    );
    const notes = [
      ...(walked.truncated.length > 0 || shown.length < lines.length
        ? ['more pages were left out: raise limit or token_budget, or ask for fewer kinds']
        : []),
      ...(walked.served.isStale ? ['writes of the last moment may be missing'] : []),
    ];
    const name = `${nameOf(start, projects)} “${start.title}”`;
    return {
      result: { from: name, reached: shown, ...(notes.length > 0 && { notes }) },
      text: [
        name,
        ...(shown.length === 0 ? ['No such edges.'] : shown.map(toLine)),
        ...notes.map((note) => `Note: ${note}.`),
      ].join('\n'),
    };
  },
});

type Reached = {
  readonly page: string;
  readonly title: string;
  readonly kind: string;
  readonly depth: number;
  /** How it is joined to the page before it: `caused by ops:incidents/checkout`. */
  readonly via: string;
};

function showReached(
  { depth, path }: ReachedPage,
  page: Page,
  nameOfId: (id: PageId) => string,
): Reached & { readonly page: string } {
  const last = path.at(-1);
  return {
    page: nameOfId(page.id),
    title: page.title,
    kind: page.kind,
    depth,
    via: last === undefined ? '' : toVia(last, nameOfId),
  };
}

function toVia({ edge, direction }: Step, nameOfId: (id: PageId) => string): string {
  const before = direction === 'OUT' ? edge.fromId : edge.toId;
  const note = edge.note === null ? '' : `: ${edge.note}`;
  return `${saidOfEnd(edge.kind, direction)} ${nameOfId(before)}${note}`;
}

function toLine({ page, title, kind, depth, via }: Reached): string {
  return `${'  '.repeat(depth - 1)}- ${page} “${title}” [${kind}] ${via}`;
}
