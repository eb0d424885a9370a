import { InvalidInputError } from '../memory/errors.ts';
import { DEFAULT_PAGES, listPages, MAX_LISTED_PAGES, type PageList } from '../memory/list-pages.ts';
import { parsePagePath } from '../memory/page-path.ts';
import type { PageOrder } from '../memory/page-store.ts';
import { AsOfInputRef, toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';
import { toPageId } from './global-id.ts';
import { PageRef } from './page.ts';
import { PageFilterInputRef, toPageFilter } from './page-filter.ts';
import { findProject } from './project.ts';

builder.queryField('page', (t) =>
  t.field({
    type: PageRef,
    nullable: true,
    description:
      'One page, by `id` or by `project` and `path`; null when it is not there, or not for the caller.',
    args: {
      id: t.arg.id({ description: 'Its id.' }),
      project: t.arg.string({ description: 'The exact name of its project; with `path`.' }),
      path: t.arg.string({ description: 'Its path in the project.' }),
      asOf: t.arg({ type: AsOfInputRef, description: 'Reads the past.' }),
    },
    resolve: async (_root, { id, project, path, asOf }, context) => {
      const { page, pageByKey } = context.loadersAt(toAsOf(asOf, context));
      if (id != null && project == null && path == null) return page.load(toPageId(id, 'id'));
      if (id != null || project == null || path == null) {
        throw new InvalidInputError('page', 'either id, or project and path', 'another choice');
      }
      if (project === '')
        throw new InvalidInputError('project', 'the name of a project', 'an empty text');
      const found = findProject({ name: project }, await context.projects());
      return found && pageByKey.load({ projectId: found.id, path: parsePagePath(path) });
    },
  }),
);

const PAGE_ORDER_FIELDS = ['PATH', 'TITLE', 'RECORDED_AT', 'CREATED_AT', 'IMPORTANCE'] as const;
const ORDER_DIRECTIONS = ['ASC', 'DESC'] as const;

const PageOrderFieldRef = builder.enumType('PageOrderField', {
  description: 'What pages are ordered by. Text orders by its bytes; ties by id.',
  values: describe(PAGE_ORDER_FIELDS, {
    PATH: 'The path.',
    TITLE: 'The title.',
    RECORDED_AT: 'When the version was written.',
    CREATED_AT: 'When the page was first written.',
    IMPORTANCE: 'The importance.',
  } satisfies { [Key in PageOrder['field']]: string }),
});

const OrderDirectionRef = builder.enumType('OrderDirection', {
  description: 'Which end comes first.',
  values: describe(ORDER_DIRECTIONS, { ASC: 'The least.', DESC: 'The greatest.' }),
});

const PageOrderInputRef = builder.inputType('PageOrderInput', {
  description: 'How to order pages.',
  fields: (t) => ({
    field: t.field({ type: PageOrderFieldRef, required: true, description: 'By what.' }),
    direction: t.field({
      type: OrderDirectionRef,
      description: 'Which end first; `ASC` when left out.',
    }),
  }),
});

type Listed = PageList & { readonly count: () => Promise<number> };

const PageListEdgeRef = builder.objectRef<PageList['entries'][number]>('PageListEdge').implement({
  description: 'An entry of a list of pages.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description: 'Opaque; pass it as `after` to go on from here.',
    }),
    node: t.expose('page', { type: PageRef, description: 'The page.' }),
  }),
});

const PageConnectionRef = builder.objectRef<Listed>('PageConnection').implement({
  description: 'A list of pages.',
  fields: (t) => ({
    edges: t.field({
      type: [PageListEdgeRef],
      description: 'The entries, each with its cursor.',
      resolve: ({ entries }) => entries,
    }),
    nodes: t.field({
      type: [PageRef],
      description: 'The pages, in the same order.',
      resolve: ({ entries }) => entries.map(({ page }) => page),
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'How to go on.',
      resolve: ({ entries, hasMore, isFirst }) => ({
        hasNextPage: hasMore,
        hasPreviousPage: !isFirst,
        startCursor: entries[0]?.cursor ?? null,
        endCursor: entries.at(-1)?.cursor ?? null,
      }),
    }),
    totalCount: t.int({
      description: 'All pages that pass the filter. Costs a statement of its own.',
      resolve: ({ count }) => count(),
    }),
  }),
});

builder.queryField('pages', (t) =>
  t.field({
    type: PageConnectionRef,
    description:
      'Lists pages by filter and order. A cursor is the place of a page: none comes twice and none is passed over while others are added.',
    extensions: {
      size: ({ first }: { first?: number | null }) => first ?? DEFAULT_PAGES,
    },
    args: {
      filter: t.arg({ type: PageFilterInputRef, description: 'Which pages; all when left out.' }),
      orderBy: t.arg({
        type: PageOrderInputRef,
        description: 'By path, ascending, when left out.',
      }),
      first: t.arg.int({
        description: `How many, 1 to ${MAX_LISTED_PAGES}; ${DEFAULT_PAGES} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection, in the same order.' }),
      asOf: t.arg({ type: AsOfInputRef, description: 'Reads the past.' }),
    },
    resolve: async (_root, args, context) => {
      const view = await context.viewAt(toAsOf(args.asOf, context));
      const filter = await toPageFilter(args.filter, 'filter', context);
      const list = await listPages(context.stores, view, {
        filter,
        order: {
          field: args.orderBy?.field ?? 'PATH',
          direction: args.orderBy?.direction ?? 'ASC',
        },
        first: args.first ?? null,
        after: args.after ?? null,
      });
      return { ...list, count: () => context.stores.pages.count(view, filter) };
    },
  }),
);
