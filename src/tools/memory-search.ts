import { z } from 'zod';
import { InvalidInputError } from '../memory/errors.ts';
import { PAGE_KINDS, type PageKind } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { findProjectIds } from '../memory/readable-projects.ts';
import { recall } from '../memory/recall.ts';
import { MAX_RECALL_LIMIT } from '../memory/recall-query.ts';
import type { View } from '../memory/view.ts';
import {
  AS_OF,
  listOf,
  oneOf,
  PROJECT,
  shortListOf,
  TOKEN_BUDGET,
  text,
  toAsOf,
  whole,
} from './arguments.ts';
import { findNamed } from './named-pages.ts';
import { showFound } from './show-hits.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

/** Each is a page to look up. */
const MAX_SUBJECTS = 100;

/** What both versions take. */
const QUERY = text('a text that is not blank')
  .refine((query) => query.trim() !== '', { error: 'a text that is not blank' })
  .describe('A question or words.');

const SCOPE = {
  subjects: shortListOf(text('the name of a page'), 'pages', MAX_SUBJECTS)
    .optional()
    .describe('Only these pages and those one edge away: project:path, or path.'),
  as_of: AS_OF,
  limit: whole(1, MAX_RECALL_LIMIT).optional().describe('Hits; 10 when left out.'),
  token_budget: TOKEN_BUDGET,
  project: PROJECT,
  projects: listOf(text('the name of a project'), 'projects')
    .optional()
    .describe('Search these; without project and projects, all.'),
};

const KINDS = listOf(oneOf(PAGE_KINDS), 'kinds');

export const memorySearch = defineTool({
  name: 'memory.search',
  version: '2.0.0',
  isAdvertised: true,
  scope: 'memory:read',
  description:
    'Find what is known: by words, meaning and links. Each hit says why it is there, how much it counts (authority) and how sure it is (confidence).',
  schema: z
    .strictObject({
      query: QUERY,
      type_hints: KINDS.optional().describe('Kinds to prefer a little. A wrong one loses nothing.'),
      ...SCOPE,
    })
    .meta({
      examples: [{ query: 'why did checkout time out?', type_hints: ['PROBLEM'], limit: 5 }],
    }),
  handler: (context, { type_hints: typeHints, ...args }) => search(context, args, typeHints ?? []),
});

/** Kinds that are a condition: for diagnosis, since a wrong one hides the answer. */
export const memorySearchByKind = defineTool({
  name: 'memory.search',
  version: '1.1.0',
  isAdvertised: false,
  scope: 'memory:read',
  description:
    'Find pages of given kinds alone. A page of another kind is not found, however near.',
  schema: z
    .strictObject({
      query: QUERY,
      belief_types: KINDS.optional().describe('Only pages of these kinds.'),
      ...SCOPE,
    })
    .meta({ examples: [{ query: 'retry policy', belief_types: ['RULE', 'DECISION'] }] }),
  handler: (context, { belief_types: kinds, ...args }) =>
    search(context, args, [], kinds && { kinds }),
});

type SearchArguments = z.output<z.ZodObject<typeof SCOPE>> & { readonly query: string };

async function search(
  context: ToolContext,
  args: SearchArguments,
  typeHints: readonly PageKind[],
  condition: PageFilter = {},
): Promise<ToolResult> {
  const { access } = context;
  const asOf = toAsOf(args.as_of, access.stores.clock());
  const view = await access.viewAt(asOf);
  const found = await recall(access.stores, view, {
    text: args.query,
    filter: { ...condition, ...(await toFilter(context, view, args)) },
    includeSuperseded: false,
    includeArchived: false,
    typeHints,
    limit: args.limit ?? null,
    // Cut when all that is said of a hit is known, which is more than recall counts.
    tokenBudget: null,
    ranking: null,
  });
  return showFound(context, view, found, args.token_budget ?? null);
}

/** @throws {InvalidInputError} naming the argument that does not fit */
async function toFilter(
  context: ToolContext,
  view: View,
  args: SearchArguments,
): Promise<PageFilter> {
  const { access, defaultProject } = context;
  const projects = await access.projects();
  if (args.project !== undefined && args.projects !== undefined) {
    throw new InvalidInputError('projects', 'either project or projects', 'both');
  }
  const own = args.project ?? defaultProject;
  const names = args.projects ?? (own === null ? null : [own]);
  const fieldOf = (index: number) =>
    args.projects === undefined ? 'project' : `projects.${index}`;
  const subjects =
    args.subjects &&
    (await findNamed(
      access,
      view,
      args.subjects.map((name, index) => ({ name, field: `subjects.${index}` })),
      { projects, home: { given: args.project, settings: context } },
    ));
  return {
    ...(names !== null && { projectIds: findProjectIds(projects, names, fieldOf) }),
    ...(subjects && { subjects: subjects.map(({ id }) => id) }),
  };
}
