import DataLoader from 'dataloader';
import type { EdgeList, EdgeListRequest } from '../memory/graph-store.ts';
import type { Page, PageId } from '../memory/page.ts';
import type { EvidenceSummary, PageKey, PageReader } from '../memory/page-store.ts';
import type { Person, PersonId } from '../memory/person.ts';
import type { PersonStore } from '../memory/person-store.ts';
import type { Observation, ObservationKey, Session, SessionId } from '../memory/session.ts';
import type { SessionStore } from '../memory/session-store.ts';
import type { Stores } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';

type VersionRequest = Parameters<PageReader['listVersions']>[1][number];
type VersionList = Awaited<ReturnType<PageReader['listVersions']>>[number];
type EvidenceRequest = Parameters<PageReader['listEvidence']>[1][number];
type EvidenceList = Awaited<ReturnType<PageReader['listEvidence']>>[number];
type SessionsRequest = Parameters<SessionStore['list']>[1][number];
type SessionList = Awaited<ReturnType<SessionStore['list']>>[number];
type ObservationsRequest = Parameters<SessionStore['listObservations']>[1][number];
type ObservationList = Awaited<ReturnType<SessionStore['listObservations']>>[number];
type PeopleRequest = Parameters<PersonStore['listOfPages']>[1][number];
type PersonList = Awaited<ReturnType<PersonStore['listOfPages']>>[number];

/** Batches of one request at one instant: however many parents a level has, it costs one statement. */
export type Loaders = {
  readonly page: DataLoader<PageId, Page | null>;
  readonly pageByKey: DataLoader<PageKey, Page | null, string>;
  readonly edges: DataLoader<EdgeListRequest, EdgeList, string>;
  readonly versions: DataLoader<VersionRequest, VersionList, string>;
  readonly evidence: DataLoader<PageId, EvidenceSummary>;
  readonly evidenceLists: DataLoader<EvidenceRequest, EvidenceList, string>;
  readonly session: DataLoader<SessionId, Session | null>;
  readonly sessions: DataLoader<SessionsRequest, SessionList, string>;
  readonly observation: DataLoader<ObservationKey, Observation | null, string>;
  readonly observations: DataLoader<ObservationsRequest, ObservationList, string>;
  readonly person: DataLoader<PersonId, Person | null>;
  readonly peopleOfPages: DataLoader<PeopleRequest, PersonList, string>;
};

export function createLoaders(stores: Stores, view: () => Promise<View>): Loaders {
  const { pages, sessions, people } = stores;

  function byId<Value>(load: (view: View, ids: readonly string[]) => Promise<Value[]>) {
    return new DataLoader<string, Value>(async (ids) => load(await view(), ids));
  }
  function byRequest<Request, Value>(
    load: (view: View, requests: readonly Request[]) => Promise<Value[]>,
  ) {
    return new DataLoader<Request, Value, string>(
      async (requests) => load(await view(), requests),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    );
  }

  return {
    page: byId(pages.findMany),
    pageByKey: new DataLoader(async (keys) => pages.findManyByKey(await view(), keys), {
      cacheKeyFn: ({ projectId, path }) => `${projectId}/${path}`,
    }),
    edges: byRequest((at, requests: readonly EdgeListRequest[]) =>
      stores.graph.listEdges(at, requests),
    ),
    versions: byRequest(pages.listVersions),
    evidence: byId(pages.evidence),
    evidenceLists: byRequest(pages.listEvidence),
    session: byId(sessions.findMany),
    sessions: byRequest(sessions.list),
    observation: byRequest(sessions.findObservations),
    observations: byRequest(sessions.listObservations),
    person: byId(people.findMany),
    peopleOfPages: byRequest(people.listOfPages),
  };
}
