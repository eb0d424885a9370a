import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { replaceSection, toMarkdownTable } from '../../src/cli/markdown-table.ts';

// Writes the table of results into the README and the plot beside the reports, from the reports alone.
// `--check` writes nothing and ends with 1 where they differ.

const README = new URL('../../README.md', import.meta.url);
const PLOT = new URL('./reports/recall.svg', import.meta.url);
const BEGIN = '<!-- results of npm run bench: written by benchmark/recall/results.ts -->';
const END = '<!-- end of results -->';

/** What is shown: a report, the rows of it, and what they were asked. */
const SHOWN = [
  { report: 'locomo', title: 'LoCoMo, five conversations', rows: ['baseline', 'dialogue'] },
  { report: 'hints', title: 'Vocabulary gap', rows: ['baseline', 'baseline + hints'] },
  { report: 'causal', title: 'Causes and fixes', rows: ['baseline', 'chain'] },
  { report: 'contradiction', title: 'Contradictions', rows: ['baseline', 'contradictions'] },
  { report: 'identifiers', title: 'Identifiers', rows: ['baseline'] },
  { report: 'multilingual', title: 'Languages', rows: ['baseline'] },
  { report: 'type-hints', title: 'Type hints', rows: ['baseline'] },
] as const;
const ARMS = ['keyword arm', 'dense arm'] as const;

const REPORT = z.object({
  commit: z.string().nullable(),
  queries: z.number(),
  rows: z.array(
    z.object({
      name: z.string(),
      scores: z.object({ recallAt1: z.number(), recallAt10: z.number(), ndcgAt10: z.number() }),
      intervals: z.object({ recallAt10: z.object({ low: z.number(), high: z.number() }) }),
    }),
  ),
});

type Line = z.infer<typeof REPORT>['rows'][number] & {
  readonly title: string;
  readonly queries: number;
};

function readLines(): readonly Line[] {
  return SHOWN.flatMap(({ report, title, rows }) => {
    const file = new URL(`./reports/${report}.json`, import.meta.url);
    const read = REPORT.parse(JSON.parse(readFileSync(file, 'utf8')));
    return [...ARMS, ...rows].map((name) => {
      const row = read.rows.find((each) => each.name === name);
      if (row === undefined) throw new Error(`${fileURLToPath(file)}: expected a row "${name}".`);
      return { ...row, title, queries: read.queries };
    });
  });
}

function toTable(lines: readonly Line[]): string {
  const head = ['data', 'questions', 'ranking', 'recall@1', 'recall@10', '95 %', 'nDCG@10'];
  const cells = lines.map(({ title, queries, name, scores, intervals }, index) => {
    const isFirst = lines[index - 1]?.title !== title;
    const { low, high } = intervals.recallAt10;
    return [
      isFirst ? title : '',
      isFirst ? String(queries) : '',
      name,
      shown(scores.recallAt1),
      shown(scores.recallAt10),
      `${shown(low)} to ${shown(high)}`,
      shown(scores.ndcgAt10),
    ];
  });
  return toMarkdownTable(head, cells);
}

const ROW_HEIGHT = 22;
const LABEL_WIDTH = 330;
const BAR_WIDTH = 400;

/** Bars of recall@10 with their intervals. */
function toSvg(lines: readonly Line[]): string {
  const height = (lines.length + 1) * ROW_HEIGHT;
  const bars = lines.map(({ title, name, scores, intervals }, index) => {
    const top = index * ROW_HEIGHT + 6;
    const middle = top + 7;
    const at = (value: number) => (LABEL_WIDTH + BAR_WIDTH * value).toFixed(1);
    const { low, high } = intervals.recallAt10;
    const isArm = ARMS.some((arm) => arm === name);
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${top + 12}" text-anchor="end">${title}: ${name}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${top}" width="${(BAR_WIDTH * scores.recallAt10).toFixed(1)}" height="14" fill="${isArm ? '#a9b4c2' : '#2f6f9f'}"/>`,
      `<path d="M${at(low)} ${middle}H${at(high)}" stroke="#1b1f24" stroke-width="1.5"/>`,
      `<text x="${LABEL_WIDTH + BAR_WIDTH + 8}" y="${top + 12}">${shown(scores.recallAt10)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LABEL_WIDTH + BAR_WIDTH + 60} ${height}" font-family="sans-serif" font-size="13">
<title>recall@10 with 95 % intervals</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${bars.join('\n')}
</svg>
`;
}

function shown(value: number): string {
  return value.toFixed(3);
}

const lines = readLines();
const readme = readFileSync(README, 'utf8');
const made = [
  { file: README, text: replaceSection(readme, BEGIN, END, toTable(lines)) },
  { file: PLOT, text: toSvg(lines) },
];
for (const { file, text } of made) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      `${fileURLToPath(file)} differs from the reports. Run \`node benchmark/recall/results.ts\`.\n`,
    );
    process.exitCode = 1;
  }
}
