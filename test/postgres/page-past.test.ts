import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAWN, FOREVER } from '../../src/memory/instant.ts';
import type { PageId } from '../../src/memory/page.ts';
import type { PageReader } from '../../src/memory/page-store.ts';
import { holdsAt, nextRecordedAt, replaces } from '../../src/memory/version-rules.ts';
import type { View } from '../../src/memory/view.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createPageReader } from '../../src/postgres/page-reader.ts';
import { openTestDatabase } from '../support/database.ts';
import { rowsOf } from '../support/insert-rows.ts';

let database: Database;
let reader: PageReader;

beforeAll(async () => {
  database = await openTestDatabase();
  reader = createPageReader(database);
});

afterAll(() => database.close());

type Version = {
  readonly sensitivity: number;
  readonly validFrom: number;
  readonly validTo: number;
  readonly recordedAt: number;
};
type ModelPage = {
  readonly id: PageId;
  readonly archived: boolean;
  readonly versions: readonly Version[];
};
type ModelEdge = {
  readonly from: ModelPage;
  readonly to: ModelPage;
  readonly validFrom: number;
  readonly recordedAt: number;
  readonly recordedTo: number;
};
type Seen = { readonly version: number; readonly status: string; readonly isSuperseded: boolean };

/** What a view sees of a page, by looking at everything. */
function see(page: ModelPage, edges: readonly ModelEdge[], view: View): Seen | null {
  const index = seenVersion(page, view);
  const version = page.versions[index];
  if (version === undefined) return null;

  const { asOf, now } = view;
  const valid = asOf ? (asOf.validAt ?? asOf.recordedAt) : now;
  const isSuperseded = edges.some(
    ({ from, to, validFrom, recordedAt, recordedTo }) =>
      to === page &&
      validFrom <= valid &&
      (asOf
        ? recordedAt <= asOf.recordedAt && asOf.recordedAt < recordedTo
        : recordedTo === FOREVER) &&
      seenVersion(from, view) >= 0,
  );
  let status = version.validTo <= valid ? 'EXPIRED' : 'ACTIVE';
  if (isSuperseded) status = 'SUPERSEDED';
  if (page.archived && asOf === null) status = 'ARCHIVED';
  return { version: index + 1, status, isSuperseded };
}

/** Place of the version that a view sees; -1 for none. */
function seenVersion({ versions }: ModelPage, { asOf, clearance }: View): number {
  const current = versions.length - 1;
  if ((versions[current]?.sensitivity ?? 0) > clearance) return -1;
  if (asOf === null) return current;

  const { validAt, recordedAt } = asOf;
  const known = versions.filter((version) => version.recordedAt <= recordedAt);
  const standing = known.filter(
    (version, at) => !known.slice(at + 1).some((newer) => replaces(newer, version)),
  );
  const seen = validAt === null ? known.at(-1) : holdsAt(standing, validAt);
  const index = seen == null ? -1 : known.indexOf(seen);
  return (known[index]?.sensitivity ?? 0) > clearance ? -1 : index;
}

const time = fc.integer({ min: 1, max: 8 });
const version = fc.record({
  sensitivity: fc.constantFrom(0, 0, 1),
  validFrom: fc.oneof(fc.constant(DAWN), time),
  length: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4 })),
  recordedAt: time,
});
const world = fc.record({
  pages: fc.array(
    fc.record({
      archived: fc.constantFrom(false, false, true),
      versions: fc.array(version, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  edges: fc.uniqueArray(
    fc.record({
      from: fc.nat(4),
      to: fc.nat(4),
      validFrom: fc.oneof(fc.constant(DAWN), time),
      recordedAt: time,
      length: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4 })),
    }),
    { maxLength: 4, selector: ({ from, to }) => `${from} ${to}` },
  ),
});
const views = fc.array(
  fc.record({
    clearance: fc.constantFrom(0, 1),
    now: time,
    asOf: fc.oneof(
      fc.constant(null),
      fc.record({ validAt: fc.oneof(fc.constant(null), time), recordedAt: time }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

test('reads any past and the present as a model that looks at everything', async () => {
  await fc.assert(
    fc.asyncProperty(world, views, async (made, asked) => {
      const rows = rowsOf(database);
      const project = await rows.project();
      const pages: ModelPage[] = [];
      for (const { archived, versions: drafts } of made.pages) {
        const versions = toVersions(drafts);
        const id = await rows.page({ project, archived, versions: versions.map(withEnd) });
        pages.push({ id, archived, versions });
      }
      const edges: ModelEdge[] = [];
      for (const { from: fromAt, to: toAt, length, ...times } of made.edges) {
        const [from, to] = [pages[fromAt], pages[toAt]];
        if (from === undefined || to === undefined || from === to) continue;
        const recordedTo = length === null ? FOREVER : times.recordedAt + length;
        edges.push({ ...times, from, to, recordedTo });
        await rows.edge({ ...times, kind: 'SUPERSEDES', from: from.id, to: to.id, recordedTo });
      }

      for (const changes of asked) {
        const view = rows.view(changes);
        const found = await reader.findMany(
          view,
          pages.map(({ id }) => id),
        );
        const standing = await reader.count(view, { excludeSuperseded: true });

        const expected = pages.map((page) => see(page, edges, view));
        expect(found.map((page) => page?.version)).toEqual(expected.map((seen) => seen?.version));
        expect(found.map((page) => page?.status)).toEqual(expected.map((seen) => seen?.status));
        expect(standing).toBe(expected.filter((seen) => seen?.isSuperseded === false).length);
      }
    }),
    { numRuns: 100 },
  );
});

test('the correction that was recorded later holds where it overlaps, and only there', async () => {
  const rows = rowsOf(database);
  const first = (month: number) => Date.UTC(2026, month - 1, 1);
  const id = await rows.page({
    project: await rows.project(),
    versions: [
      { validFrom: first(2), recordedAt: 1 },
      { validFrom: first(1), validTo: first(3), recordedAt: 2 },
    ],
  });

  const at = async (day: string, recordedAt = 2) => {
    const asOf = { validAt: Date.parse(day), recordedAt };
    const [page] = await reader.findMany(rows.view({ asOf }), [id]);
    return page?.version ?? null;
  };

  expect(await at('2026-01-15')).toBe(2);
  expect(await at('2026-02-15')).toBe(2);
  expect(await at('2026-03-15')).toBe(1);
  expect(await at('2026-02-15', 1)).toBe(1);
});

/** Drafts as writes would leave them, one after the other. */
function toVersions(
  drafts: readonly {
    readonly sensitivity: number;
    readonly validFrom: number;
    readonly length: number | null;
    readonly recordedAt: number;
  }[],
): Version[] {
  const versions: Version[] = [];
  for (const { length, ...draft } of drafts.toSorted((a, b) => a.recordedAt - b.recordedAt)) {
    const start = draft.validFrom === DAWN ? 1 : draft.validFrom;
    versions.push({
      ...draft,
      validTo: length === null ? FOREVER : start + length,
      recordedAt: nextRecordedAt(draft.recordedAt, versions.at(-1)?.recordedAt ?? null),
    });
  }
  return versions;
}

function withEnd(version: Version, index: number, versions: readonly Version[]) {
  const successor = versions.slice(index + 1).find((newer) => replaces(newer, version));
  return { ...version, recordedTo: successor?.recordedAt ?? FOREVER };
}
