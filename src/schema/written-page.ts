import type { Committed, WriteOutcome, WrittenPage } from '../memory/memory-writer.ts';
import { writeNamedPages } from '../memory/write-named-pages.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { describe } from './enums.ts';
import { toSessionId } from './global-id.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';

const WriteOutcomeRef = builder.enumType('WriteOutcome', {
  description: 'What a write came to.',
  values: describe(['CREATED', 'REVISED', 'RECONSOLIDATED'], {
    CREATED: 'A new page.',
    REVISED: 'A new version of a page.',
    RECONSOLIDATED:
      'The same kind, title and body again: no new version, one more piece of evidence. Tags, attributes, importance, hints and sensitivity were replaced.',
  } satisfies { [Key in WriteOutcome]: string }),
});

export const PAGE_AS_WRITTEN = {
  type: PageRef,
  nullable: true as const,
  description: 'The page, as it is now; null when it has just been removed.',
  resolve: ({ pageId }: WrittenPage, _args: object, context: RequestContext) =>
    pageAt(context, pageId, null),
};
export const VERSION = { description: 'The version that the write made or confirmed.' };
export const OUTCOME = { type: WriteOutcomeRef, description: 'What it came to.' };

export const WrittenPageRef = builder.objectRef<WrittenPage>('WrittenPage').implement({
  description: 'A page as a write left it.',
  fields: (t) => ({
    page: t.field(PAGE_AS_WRITTEN),
    version: t.exposeInt('version', VERSION),
    outcome: t.expose('outcome', OUTCOME),
  }),
});

/** Writes pages of a caller's `input`, whose fields are named by `fieldOf`. */
export async function write(
  context: RequestContext,
  {
    session,
    ...request
  }: Omit<Parameters<typeof writeNamedPages>[2], 'sessionId'> & {
    readonly session: string | null | undefined;
  },
  fieldOf: (index: number) => string,
): Promise<Committed<readonly WrittenPage[]>> {
  const { caller, projects } = await context.toWrite();
  const { hintsEnabled } = context.limits;
  const written = await inInput(async () => {
    const sessionId = session == null ? null : toSessionId(session, 'session');
    const asked = { ...request, sessionId };
    return writeNamedPages(context.stores, caller, asked, { projects, hintsEnabled, fieldOf });
  });
  context.forget();
  return written;
}
