import { choosePage } from '../memory/choose-page.ts';
import { DEFAULT_PAGES, listPages, MAX_LISTED_PAGES } from '../memory/list-pages.ts';
import type { Page } from '../memory/page.ts';
import type { PageOrder } from '../memory/page-store.ts';
import { parseFirst } from '../memory/paging.ts';
import { AsOfInputRef, toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import { connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import { describe } from './enums.ts';
import { toPageId } from './global-id.ts';
import { PageRef } from './page.ts';
import { PageFilterInputRef, toPageFilter } from './page-filter.ts';

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
      const chosen = choosePage(await context.projects(), {
        id: id == null ? null : toPageId(id, 'id'),
        project: project ?? null,
        path: path ?? null,
      });
      if (chosen === null) return null;
      return chosen.kind === 'ID' ? page.load(chosen.id) : pageByKey.load(chosen.key);
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

const PageListEdgeRef = entryOf('PageListEdge', PageRef, {
  description: 'An entry of a list of pages.',
  noun: 'page',
});

const PageConnectionRef = builder.objectRef<Listed<Entry<Page>>>('PageConnection').implement({
  description: 'A list of pages.',
  fields: (t) =>
    connectionFields(t, {
      edge: PageListEdgeRef,
      node: PageRef,
      nodes: 'The pages, in the same order.',
      totalCount: 'All pages that pass the filter. Costs a statement of its own.',
    }),
});

builder.queryField('pages', (t) =>
  t.field({
    type: PageConnectionRef,
    nullable: true,
    description:
      'Lists pages by filter and order. A cursor is the place of a page: none comes twice and none is passed over while others are added.',
    extensions: {
      size: ({ first }: { first?: number | null }) =>
        parseFirst(first ?? DEFAULT_PAGES, { most: MAX_LISTED_PAGES, field: 'first' }),
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
      const entries = list.entries.map(({ page, cursor }) => ({ node: page, cursor }));
      return { ...list, entries, total: () => context.stores.pages.count(view, filter) };
    },
  }),
);
