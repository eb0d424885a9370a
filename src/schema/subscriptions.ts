import { type FieldNode, type GraphQLResolveInfo, visit } from 'graphql';
import type { LoggedEdgeChange, LoggedPageChange } from '../memory/change-feed.ts';
import type { PageId } from '../memory/page.ts';
import { type Told, type Watching, watchEdges, watchPages } from '../memory/watch-changes.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { EdgeRef } from './edge.ts';
import { describe } from './enums.ts';
import { toGlobalId } from './global-id.ts';
import { isSelected } from './is-selected.ts';
import { PageRef } from './page.ts';
import { pageAt, pagesAt } from './page-at.ts';

builder.subscriptionType({
  description:
    'Changes as they are committed, over server-sent events, whichever process made them. Each has a cursor: whoever comes back with it as `after` misses nothing and hears nothing twice. A process has at most 1,000 open; one more is refused with `SUBSCRIPTION_LIMIT_REACHED`, which may be tried again later.',
});

const PageChangeKindRef = builder.enumType('PageChangeKind', {
  description: 'What happened to a page.',
  values: describe(['WRITTEN', 'PURGED'], {
    WRITTEN: 'It was made or written anew, or an edge turned its status.',
    PURGED: 'It was removed for good, with all its edges.',
  }),
});

const EdgeChangeKindRef = builder.enumType('EdgeChangeKind', {
  description: 'What happened to an edge.',
  values: describe(['ASSERTED', 'RETRACTED'], {
    ASSERTED: 'It was asserted, or what it says was changed.',
    RETRACTED: 'Nothing says it any more.',
  }),
});

const CURSOR = {
  description: 'Opaque; pass it as `after` to go on from here. It serves both subscriptions.',
};

const PageChangeRef = builder.objectRef<Told<LoggedPageChange>>('PageChange').implement({
  description: 'A change of one page.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', CURSOR),
    change: t.expose('kind', { type: PageChangeKindRef, description: 'What happened.' }),
    pageId: t.id({
      description: 'The `id` of the page.',
      resolve: ({ pageId }) => toGlobalId('Page', pageId),
    }),
    page: t.field({
      type: PageRef,
      nullable: true,
      description:
        'The page as it is when this is told, which may be newer than the change; null once it is removed.',
      resolve: ({ kind, pageId }, _args, context) =>
        kind === 'PURGED' ? null : pageAt(context, pageId, null),
    }),
  }),
});

const EdgeChangeRef = builder.objectRef<Told<LoggedEdgeChange>>('EdgeChange').implement({
  description: 'A change of one edge.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', CURSOR),
    change: t.expose('kind', { type: EdgeChangeKindRef, description: 'What happened.' }),
    edge: t.field({
      type: EdgeRef,
      description: 'The edge as it is when this is told, which may be newer than the change.',
      resolve: ({ edge }) => ({ edge, readAt: null }),
    }),
  }),
});

const ARGS = builder.args((t) => ({
  project: t.string({ required: true, description: 'The exact name of the project.' }),
  after: t.string({
    description:
      'The cursor of the last change that was heard; changes since then come first. Left out: only changes from now on. `CURSOR_EXPIRED` when some of them are no longer kept.',
  }),
}));

builder.subscriptionField('pageChanged', (t) =>
  t.field({
    type: PageChangeRef,
    description:
      'Pages of a project as they are written or purged, one event for each change. Changes of pages that the caller may not see when they would be told are left out.',
    args: ARGS,
    subscribe: (_root, args, context, info) =>
      watchPages(context.stores, {
        ...watching(args, context),
        ...(isSelected(info, 'page') && {
          prepare: (changes) =>
            withPages(context, changes, ({ kind, pageId }) => (kind === 'PURGED' ? [] : [pageId])),
        }),
      }),
    resolve: (change) => change,
  }),
);

builder.subscriptionField('edgeChanged', (t) =>
  t.field({
    type: EdgeChangeRef,
    description:
      'Edges with an end in a project as they are asserted or retracted, while the caller may see both ends. Edges that went with a purged page are told by `pageChanged` alone.',
    args: ARGS,
    subscribe: (_root, args, context, info) =>
      watchEdges(context.stores, {
        ...watching(args, context),
        ...(mentionsEnds(info) && {
          prepare: (changes) => withPages(context, changes, ({ edge }) => [edge.fromId, edge.toId]),
        }),
      }),
    resolve: (change) => change,
  }),
);

function watching(
  { project, after }: { readonly project: string; readonly after?: string | null | undefined },
  context: RequestContext,
): Omit<Watching<never>, 'prepare'> {
  return {
    project,
    after: after ?? null,
    async look() {
      await context.stillAdmitted();
      // One context serves all events, and none may show what was read for an earlier batch.
      context.forget();
      return { projects: await context.projects(), view: await context.viewAt(null) };
    },
  };
}

/** Loads all pages of a batch in one statement; leaves out changes of those that have just gone. */
async function withPages<Change>(
  context: RequestContext,
  changes: readonly Change[],
  pagesOf: (change: Change) => readonly PageId[],
): Promise<readonly Change[]> {
  const found = await Promise.all(changes.map((change) => pagesAt(context, pagesOf(change), null)));
  return changes.filter((change, index) => found[index]?.length === pagesOf(change).length);
}

/** Whether the operation asks for an end of any edge. */
function mentionsEnds({ operation, fragments }: GraphQLResolveInfo): boolean {
  let isMentioned = false;
  for (const node of [operation, ...Object.values(fragments)]) {
    visit(node, {
      Field({ name }: FieldNode) {
        isMentioned ||= name.value === 'from' || name.value === 'to';
      },
    });
  }
  return isMentioned;
}
