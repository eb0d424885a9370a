import { EDGE_KINDS } from '../memory/edge.ts';
import { EVIDENCE_SOURCES } from '../memory/evidence.ts';
import { PAGE_KINDS, PAGE_STATUSES } from '../memory/page.ts';
import type { ProjectionStatus } from '../memory/readiness.ts';
import { type Status, status } from '../memory/status.ts';
import type { Counted, StoreVersions } from '../memory/status-store.ts';
import { builder } from './builder.ts';
import { EdgeKindRef, PageKindRef, PageStatusRef } from './enums.ts';
import { EvidenceSourceRef } from './evidence.ts';

const COUNT = { description: 'How many.' };

const PageKindCountRef = builder
  .objectRef<Status['pagesByKind'][number]>('PageKindCount')
  .implement({
    description: 'Pages of one kind.',
    fields: (t) => ({
      kind: t.expose('name', { type: PageKindRef, description: 'The kind.' }),
      count: t.exposeInt('count', COUNT),
    }),
  });

const PageStatusCountRef = builder
  .objectRef<Status['pagesByStatus'][number]>('PageStatusCount')
  .implement({
    description: 'Pages of one status.',
    fields: (t) => ({
      status: t.expose('name', { type: PageStatusRef, description: 'The status.' }),
      count: t.exposeInt('count', COUNT),
    }),
  });

const EdgeKindCountRef = builder
  .objectRef<Status['edgesByKind'][number]>('EdgeKindCount')
  .implement({
    description: 'Edges of one kind.',
    fields: (t) => ({
      kind: t.expose('name', { type: EdgeKindRef, description: 'The kind.' }),
      count: t.exposeInt('count', COUNT),
    }),
  });

const EvidenceCountRef = builder
  .objectRef<Status['evidenceBySource'][number]>('EvidenceSourceCount')
  .implement({
    description: 'Pieces of evidence from one kind of source.',
    fields: (t) => ({
      source: t.expose('name', { type: EvidenceSourceRef, description: 'The kind of source.' }),
      count: t.exposeInt('count', COUNT),
    }),
  });

const ProjectionRef = builder.objectRef<ProjectionStatus>('ProjectionStatus').implement({
  description: 'How far the changes of your tenant are carried into the graph database.',
  fields: (t) => ({
    lagEvents: t.int({
      description: 'Changes that are still to be carried.',
      resolve: ({ lag }) => lag.events,
    }),
    lagSeconds: t.float({
      description: 'For how long the oldest of them waits.',
      resolve: ({ lag }) => lag.seconds,
    }),
    failures: t.exposeInt('failures', {
      description: 'Changes that could not be carried and were passed over.',
    }),
    isStuck: t.boolean({
      description: 'Whether your tenant could not be brought further, and is tried again later.',
      resolve: ({ setbacks }) => setbacks > 0,
    }),
  }),
});

const VersionsRef = builder.objectRef<StoreVersions>('StoreVersions').implement({
  description: 'What the stores are.',
  fields: (t) => ({
    postgres: t.exposeString('postgres', { description: 'The version of PostgreSQL.' }),
    pgvector: t.exposeString('pgvector', { description: 'The version of pgvector.' }),
    neo4j: t.exposeString('neo4j', {
      nullable: true,
      description:
        'The version of Neo4j; null where the ledger serves edges, and while Neo4j does not answer.',
    }),
    migration: t.exposeString('migration', {
      description: 'The last migration that the schema has had.',
    }),
  }),
});

const GatesRef = builder.objectRef<Status['gates']>('Gates').implement({
  description: 'What this server takes.',
  fields: (t) => ({
    hintsEnabled: t.exposeBoolean('hintsEnabled', {
      description: 'Whether writes may carry hints now.',
    }),
  }),
});

const StatusRef = builder.objectRef<Status>('Status').implement({
  description: 'How the store is. Numbers are of what you may see, of the present.',
  fields: (t) => ({
    pageCount: t.int({
      description: 'All pages.',
      resolve: ({ pagesByKind }) => sum(pagesByKind),
    }),
    pagesByKind: t.field({
      type: [PageKindCountRef],
      extensions: { size: () => PAGE_KINDS.length },
      description: 'Pages of each kind that there are some of.',
      resolve: ({ pagesByKind }) => pagesByKind,
    }),
    pagesByStatus: t.field({
      type: [PageStatusCountRef],
      extensions: { size: () => PAGE_STATUSES.length },
      description: 'Pages of each status that there are some of.',
      resolve: ({ pagesByStatus }) => pagesByStatus,
    }),
    edgeCount: t.int({
      description: 'All edges.',
      resolve: ({ edgesByKind }) => sum(edgesByKind),
    }),
    edgesByKind: t.field({
      type: [EdgeKindCountRef],
      extensions: { size: () => EDGE_KINDS.length },
      description: 'Active edges of each kind that there are some of.',
      resolve: ({ edgesByKind }) => edgesByKind,
    }),
    evidenceCount: t.int({
      description: 'All pieces of evidence.',
      resolve: ({ evidenceBySource }) => sum(evidenceBySource),
    }),
    evidenceBySource: t.field({
      type: [EvidenceCountRef],
      extensions: { size: () => EVIDENCE_SOURCES.length },
      description: 'Pieces of evidence from each kind of source that there are some of.',
      resolve: ({ evidenceBySource }) => evidenceBySource,
    }),
    embedder: t.exposeString('embedder', { description: 'The encoder of texts.' }),
    embeddingBacklog: t.exposeInt('embeddingBacklog', {
      description:
        'Passages without a vector of this encoder: recall does not find them by meaning until `causeway reindex`.',
    }),
    projection: t.expose('projection', {
      type: ProjectionRef,
      nullable: true,
      description: 'Null where the ledger serves edges.',
    }),
    versions: t.expose('versions', { type: VersionsRef, description: 'What the stores are.' }),
    rankingProfile: t.exposeString('rankingProfile', {
      description: 'The ranking of a recall that names none.',
    }),
    gates: t.expose('gates', { type: GatesRef, description: 'What this server takes.' }),
  }),
});

builder.queryField('status', (t) =>
  t.field({
    type: StatusRef,
    nullable: true,
    description:
      'How the store is. It counts, so its time grows with the store; the number of statements does not.',
    resolve: async (_root, _args, context) =>
      status(context.stores, await context.viewAt(null), context.limits),
  }),
);

function sum(counts: readonly Counted<string>[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
