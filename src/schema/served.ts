import type { Lag, Served, ServedBy } from '../memory/served.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';

const ServedByRef = builder.enumType('ServedBy', {
  description: 'Which store answered a question about edges.',
  values: describe(['LEDGER', 'NEO4J'], {
    LEDGER: 'The ledger of all edges, the source of truth.',
    NEO4J: 'The projection of the ledger in Neo4j.',
  } satisfies { [Key in ServedBy]: string }),
});

const LagRef = builder.objectRef<Lag>('Lag').implement({
  description: 'Changes that an answer lacks.',
  fields: (t) => ({
    events: t.exposeInt('events', { description: 'How many changes of pages and edges.' }),
    seconds: t.exposeFloat('seconds', { description: 'Since when the oldest of them waits.' }),
  }),
});

/** An answer of the graph that says where it comes from. */
export const FromGraphRef = builder
  .interfaceRef<{ readonly served: Served }>('FromGraph')
  .implement({
    description: 'An answer about edges, which says where it comes from and what it may lack.',
    fields: (t) => ({
      servedBy: t.field({
        type: ServedByRef,
        description: 'Which store answered.',
        resolve: ({ served }) => served.by,
      }),
      stale: t.boolean({
        description:
          'Whether writes that were done before the question are missing, since they are still on their way into the graph.',
        resolve: ({ served }) => served.isStale,
      }),
      lag: t.field({
        type: LagRef,
        description: 'What is missing; nothing unless `stale`.',
        resolve: ({ served }) => served.lag,
      }),
    }),
  });
