import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BRIEFING_SECTIONS,
  type BriefingSection,
  type Draft,
  fitBriefing,
} from '../../src/memory/fit-briefing.ts';
import { estimateTokens } from '../../src/memory/token-budget.ts';

function draft(path: string, more: Partial<Draft['page'] & { note: string | null }> = {}): Draft {
  const { note = null, ...page } = more;
  return {
    page: {
      ...{ id: path, path, kind: 'NOTE', title: `Title of ${path}`, excerpt: `Body of ${path}.` },
      ...{ isWhole: true, recordedAt: 0 },
      ...page,
    },
    note,
    reason: 'It is.',
    contradiction: null,
  };
}

type Drafts = Parameters<typeof fitBriefing>[2];

const pathsOf = ({ sections }: ReturnType<typeof fitBriefing>) =>
  sections.map(({ section, fitted }) => [section, fitted.map((each) => each.draft.page.path)]);

test('writes a section for each list that has something, in order, a line for each page', () => {
  const { text, truncated } = fitBriefing('notes', 1_000, [
    { section: 'STANDING_ANSWERS', drafts: [draft('standing/deploy')] },
    { section: 'RECENT_SESSIONS', drafts: [] },
    { section: 'OPEN_PROBLEMS', drafts: [draft('bug', { note: 'since May' }), draft('b')] },
  ]);

  expect(truncated).toBe(false);
  expect(text).toBe(`# Briefing: notes

## Standing answers
- Title of standing/deploy [standing/deploy]: Body of standing/deploy.

## Open problems
- Title of bug [bug] (since May): Body of bug.
- Title of b [b]: Body of b.
`);
});

test('has no text when there is nothing to tell, or when the budget is too small for the first page', () => {
  const drafts: Drafts = [{ section: 'OPEN_PROBLEMS', drafts: [draft('bug')] }];

  expect(fitBriefing('notes', 1_000, [{ section: 'OPEN_PROBLEMS', drafts: [] }])).toEqual({
    ...{ text: '', sections: [], truncated: false },
  });
  expect(fitBriefing('notes', 5, drafts)).toEqual({ text: '', sections: [], truncated: true });
});

test('a small budget has something of each section before more of any', () => {
  const many = (name: string) => Array.from({ length: 9 }, (_, index) => draft(`${name}/${index}`));

  const fitted = fitBriefing('notes', 70, [
    { section: 'SETTLED', drafts: many('s') },
    { section: 'OPEN_PROBLEMS', drafts: many('p') },
  ]);

  expect(pathsOf(fitted)).toEqual([
    ['SETTLED', ['s/0', 's/1', 's/2']],
    ['OPEN_PROBLEMS', ['p/0', 'p/1', 'p/2']],
  ]);
  expect(fitted.truncated).toBe(true);
});

test('keeps the lines of a body from passing for its own headings and items', () => {
  const { text } = fitBriefing('notes', 1_000, [
    { section: 'OPEN_PROBLEMS', drafts: [draft('a', { excerpt: 'One.\n\n## Settled\n- a lie' })] },
  ]);

  expect(text.match(/^## .*$/gmu)).toEqual(['## Open problems']);
  expect(text).toContain(': One. ## Settled - a lie\n');
});

test('says the beginning of a long body, and all that was read of a standing answer', () => {
  const excerpt = 'word '.repeat(200).trim();
  const { sections } = fitBriefing('notes', 10_000, [
    { section: 'STANDING_ANSWERS', drafts: [draft('standing/a', { excerpt, isWhole: false })] },
    { section: 'OPEN_PROBLEMS', drafts: [draft('b', { excerpt })] },
  ]);
  const [standing, problem] = sections.map(({ fitted }) => fitted[0]);

  expect(standing?.text).toContain(excerpt);
  expect(standing?.isCut).toBe(true);
  expect(problem?.text.length).toBeLessThan(360);
  expect(problem?.text).toMatch(/word…\n$/u);
  expect(problem?.isCut).toBe(true);
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 400 });
const anyDrafts = fc
  .array(
    fc.array(fc.record({ title: anyText, excerpt: anyText, note: fc.option(anyText) }), {
      maxLength: 4,
    }),
    { maxLength: BRIEFING_SECTIONS.length },
  )
  .map((lists) =>
    lists.map((list, at) => ({
      section: BRIEFING_SECTIONS[at] ?? ('SETTLED' satisfies BriefingSection),
      drafts: list.map((each, index) => draft(`${at}/${index}`, each)),
    })),
  );

test('the tokens never pass the budget, and are those of what the sections say', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_500 }), anyText, anyDrafts, (budget, project, drafts) => {
      const { text, sections, truncated } = fitBriefing(project, budget, drafts);

      expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
      const items = sections.flatMap(({ fitted }) => fitted);
      for (const item of items) expect(text).toContain(item.text);
      if (!truncated) expect(items).toHaveLength(drafts.flatMap((each) => each.drafts).length);
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});

test('a larger budget has every page that a smaller one has, and says no less of it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 800 }), fc.nat({ max: 400 }), anyDrafts, (small, more, drafts) => {
      const itemsOf = (budget: number) =>
        fitBriefing('notes', budget, drafts).sections.flatMap(({ fitted }) => fitted);
      const larger = new Map(itemsOf(small + more).map((item) => [item.draft.page.path, item]));

      for (const item of itemsOf(small)) {
        const same = larger.get(item.draft.page.path);
        expect(same?.text.length).toBeGreaterThanOrEqual(item.text.length);
      }
    }),
  );
});
