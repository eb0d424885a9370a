import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createImportFolder,
  edge,
  type ImportFolder,
  page,
  SEVERAL_STARTS_MS,
} from '../support/import-folder.ts';

const PAGES = 600;

let folder: ImportFolder;

beforeEach(async () => {
  folder = await createImportFolder();
});

afterEach(() => folder.close());

test(
  'an import that is killed among pages, killed among edges, and run again comes to the same store',
  async () => {
    const { lines, faultAmongPages, faultAmongEdges } = makeHistory();
    const plain = await folder.write('history.jsonl', lines);
    const packed = await folder.write('history.jsonl.gz', lines);

    const importInPieces = async () => {
      // A faulty line is told when it is reached: whole batches before it are written by then.
      const first = await folder.importUntil(plain, `line ${faultAmongPages}: `);
      const second = await folder.importUntil(plain, `line ${faultAmongEdges}: `);
      return { signals: [first, second], last: await folder.importFile(plain, { json: true }) };
    };
    const [{ signals, last }, whole] = await Promise.all([
      importInPieces(),
      folder.importFile(packed, { json: true, store: 'whole' }),
    ]);

    expect(signals).toEqual(['SIGKILL', 'SIGKILL']);
    expect(JSON.parse(last.stdout)).toMatchObject({
      lines: lines.length,
      pages: { CREATED: 0, REVISED: 0, RECONSOLIDATED: PAGES + 200 },
      faults: 2,
    });
    expect(JSON.parse(whole.stdout)).toMatchObject({
      lines: lines.length,
      pages: { CREATED: PAGES, REVISED: 100, RECONSOLIDATED: 100 },
      faults: 2,
    });
    const content = await folder.readStore();
    expect(content).toEqual(await folder.readStore('whole'));
    expect(content.pages).toHaveLength(PAGES);
    expect(content.evidence).toHaveLength(100);
    expect(content.edges.length).toBeGreaterThan(1_000);
    expect(content.waiting.length).toBeGreaterThan(100);
  },
  SEVERAL_STARTS_MS,
);

/** Pages that link each other, come again and change; then edges, some to pages that never come. */
function makeHistory() {
  const pages = Array.from({ length: PAGES }, (_, index) =>
    page(`p/${index}`, { body: `Step ${index}, after [[p/${(index * 7 + 3) % 700}]].` }),
  );
  const revised = Array.from({ length: 100 }, (_, index) =>
    page(`p/${index + 100}`, { body: `Step ${index + 100} was another one.` }),
  );
  const edges = Array.from({ length: 1_400 }, (_, index) =>
    edge(
      `p/${index % PAGES}`,
      ['CAUSES', 'FIXES', 'CONTRADICTS', 'REFERENCES'][index % 4] ?? '',
      `p/${(index * 17 + 1) % 650}`,
      { note: `note ${index}` },
    ),
  );
  const beforeEdges = [...pages.slice(200), ...pages.slice(0, 100), ...revised];
  const lines = [
    ...pages.slice(0, 200),
    'the fault among pages',
    ...beforeEdges,
    ...edges.slice(0, 1_050),
    'the fault among edges',
    ...edges.slice(1_050),
  ];
  return {
    lines,
    faultAmongPages: lines.indexOf('the fault among pages') + 1,
    faultAmongEdges: lines.indexOf('the fault among edges') + 1,
  };
}
