import DataLoader from 'dataloader';
import type { EdgeList, EdgeListRequest } from '../memory/graph-store.ts';
import type { Page, PageId } from '../memory/page.ts';
import type { EvidenceSummary, PageKey, PageReader } from '../memory/page-store.ts';
import type { Stores } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';

type VersionRequest = Parameters<PageReader['listVersions']>[1][number];
type VersionList = Awaited<ReturnType<PageReader['listVersions']>>[number];

/** Batches of one request at one instant: however many parents a level has, it costs one statement. */
export type Loaders = {
  readonly page: DataLoader<PageId, Page | null>;
  readonly pageByKey: DataLoader<PageKey, Page | null, string>;
  readonly edges: DataLoader<EdgeListRequest, EdgeList, string>;
  readonly versions: DataLoader<VersionRequest, VersionList, string>;
  readonly evidence: DataLoader<PageId, EvidenceSummary>;
};

export function createLoaders(stores: Stores, view: () => Promise<View>): Loaders {
  return {
    page: new DataLoader(async (ids) => stores.pages.findMany(await view(), ids)),
    pageByKey: new DataLoader(async (keys) => stores.pages.findManyByKey(await view(), keys), {
      cacheKeyFn: ({ projectId, path }) => `${projectId}/${path}`,
    }),
    edges: new DataLoader(async (requests) => stores.graph.listEdges(await view(), requests), {
      cacheKeyFn: (request) => JSON.stringify(request),
    }),
    versions: new DataLoader(
      async (requests) => stores.pages.listVersions(await view(), requests),
      {
        cacheKeyFn: (request) => JSON.stringify(request),
      },
    ),
    evidence: new DataLoader(async (ids) => stores.pages.evidence(await view(), ids)),
  };
}
