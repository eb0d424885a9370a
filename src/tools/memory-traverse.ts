import { z } from 'zod';
import { DIRECTIONS, EDGE_KINDS } from '../memory/edge.ts';
import { DEFAULT_DEPTH, HARD_MAX_DEPTH } from '../memory/graph-limits.ts';
import type { ReadableProjects } from '../memory/readable-projects.ts';
import { type VisitedPage, walkFromPage } from '../memory/walk-from-page.ts';
import { AS_OF, listOf, oneOf, PROJECT, TOKEN_BUDGET, text, toAsOf, whole } from './arguments.ts';
import { saidOfEnd } from './edge-words.ts';
import { fitBudget } from './fit-budget.ts';
import { findNamed, nameOf } from './named-pages.ts';
import { staleNotes, toNoteLines } from './notes.ts';
import { defineTool, type ToolResult, type ToolSettings } from './tool.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 30;

/** @param maxDepth  hops that models are told of; more are refused by the walk, which names the cap */
export const memoryTraverse = ({ maxDepth }: Pick<ToolSettings, 'maxDepth'>) =>
  defineTool({
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
        depth: whole(1, HARD_MAX_DEPTH)
          .meta({ maximum: maxDepth })
          .optional()
          .describe(`Hops; ${Math.min(DEFAULT_DEPTH, maxDepth)} when left out.`),
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

      const input = {
        ...(args.kinds && { kinds: args.kinds }),
        ...(args.direction && { direction: args.direction }),
        ...(args.depth !== undefined && { depth: args.depth }),
        maxPages: args.limit ?? DEFAULT_LIMIT,
      };
      const walk = await walkFromPage(access.stores, view, start, input, settings);
      const from = `${nameOf(start, projects)} “${start.title}”`;
      const reached = walk.visited.map((visited) => showReached(visited, projects));
      const toAnswer = (shown: readonly Reached[]): ToolResult => {
        const notes = [
          ...(walk.isCut || shown.length < reached.length
            ? ['more pages were left out: raise limit or token_budget, or ask for fewer kinds']
            : []),
          ...staleNotes(walk.served),
        ];
        const lines = shown.length === 0 ? ['No such edges.'] : shown.map(toLine);
        return {
          result: { from, reached: shown, ...(notes.length > 0 && { notes }) },
          text: [from, ...lines, ...toNoteLines(notes)].join('\n'),
        };
      };
      const budget = args.token_budget ?? null;
      return toAnswer(fitBudget(reached, (shown) => toAnswer(shown).text, budget));
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
  { page, depth, step: { edge, direction }, before }: VisitedPage,
  projects: ReadableProjects,
): Reached {
  const other = before === null ? 'a page that is gone' : nameOf(before, projects);
  const note = edge.note === null ? '' : `: ${edge.note}`;
  return {
    page: nameOf(page, projects),
    title: page.title,
    kind: page.kind,
    depth,
    via: `${saidOfEnd(edge.kind, direction)} ${other}${note}`,
  };
}

function toLine({ page, title, kind, depth, via }: Reached): string {
  return `${'  '.repeat(depth - 1)}- ${page} “${title}” [${kind}] ${via}`;
}
