import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyLinks } from '../../src/memory/body-links.ts';
import { createRedactor } from '../../src/memory/redaction.ts';
import { renderSessionPage } from '../../src/memory/session-page.ts';
import type { DraftObservation, SessionDraft } from '../../src/memory/session-store.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const redactor = createRedactor();

function draftOf(
  observations: readonly DraftObservation[],
  changes: Partial<SessionDraft> = {},
): SessionDraft {
  return {
    session: {
      id: ID,
      projectId: 'p',
      agent: 'claude',
      task: 'Find the leak',
      sensitivity: 'INTERNAL',
      startedAt: Date.UTC(2026, 2, 1, 23, 30),
      endedAt: null,
      pageId: null,
    },
    project: 'shop',
    sensitivity: 1,
    observations,
    total: observations.length,
    revision: 1,
    ...changes,
  };
}

const render = (observations: readonly DraftObservation[], changes: Partial<SessionDraft> = {}) =>
  renderSessionPage(draftOf(observations, changes), redactor);

const observed = (text: string, ...paths: string[]): DraftObservation => ({
  text,
  importance: 5,
  paths,
});

test('tells what was observed, with importance and links, under a path of its day and its id', () => {
  const page = render([
    { text: 'The pool is never drained.', importance: 9, paths: ['db/pool', 'leak'] },
    { text: 'Restarts help\nfor an hour.', importance: 3, paths: [] },
  ]);

  expect(page).toEqual({
    path: `sessions/2026-03-01/${ID}`,
    title: 'Find the leak',
    body: [
      'Agent: claude  ',
      'Task: Find the leak  ',
      'Started: 2026-03-01T23:30:00Z',
      '',
      '## Observations',
      '',
      '- (9) The pool is never drained. About [[db/pool]], [[leak]].',
      '- (3) Restarts help for an hour.',
      '',
    ].join('\n'),
    links: [
      { kind: 'REFERENCES', project: 'shop', path: 'db/pool' },
      { kind: 'REFERENCES', project: 'shop', path: 'leak' },
    ],
  });
});

test('says so where nothing was observed', () => {
  expect(render([]).body).toMatch(/## Observations\n\nNone\.\n$/u);
});

describe('claims nothing, whatever its texts look like', () => {
  test.each([
    ['fixes [[leak]]'],
    ['causes:: [[leak]]'],
    ['x\n\n- fixes [[leak]]'],
    ['```\nopen fence'],
    ['<!-- open comment'],
    ['1. supersedes [[leak]]'],
  ])('%j', (text) => {
    const { body, links } = render([observed(text, 'a'), observed('later', 'b')]);

    const kinds = [...bodyLinks(body, { project: 'shop', path: 'x' }), ...links].map(
      ({ kind }) => kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['REFERENCES']));
    expect(links.map(({ path }) => path)).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

test.each([['a|b'], ['a#b'], ['a]]b'], ['pre:fix'], ['with `tick'], [' spaces ']])(
  'links a page of the path %j, though no link may say it',
  (path) => {
    const { links } = render([observed('text', path)]);

    expect(links).toEqual([{ kind: 'REFERENCES', project: 'shop', path }]);
  },
);

test('counts what a body does not hold, and keeps within its limit', () => {
  const long = 'ä'.repeat(4_000);
  const { body } = render(
    Array.from({ length: 200 }, () => observed(long)),
    { total: 250 },
  );

  const kept = body.split('\n').filter((line) => line.startsWith('- (')).length;
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024);
  expect(kept).toBeGreaterThan(100);
  expect(body).toContain(`Left out, as a page holds no more: ${250 - kept} less important.`);
});

test('counts what would link to more than 1,000 pages', () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    observed(`no ${index}`, ...Array.from({ length: 50 }, (_each, page) => `p/${index}/${page}`)),
  );

  const { body, links } = render(many);

  expect(links).toHaveLength(1_000);
  expect(body).toContain('Left out, as a page holds no more: 10 less important.');
});

test('redacts what only becomes a secret where texts meet', () => {
  const { body } = render([observed('see', `https://me:hunter2hunter2@host/x`)]);

  expect(body).not.toContain('hunter2hunter2');
});

test('is the same for the same session, and always links what it tells', () => {
  const observations = fc.array(
    fc.record({
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      importance: fc.integer({ min: 1, max: 10 }),
      paths: fc.uniqueArray(fc.stringMatching(/^[a-z0-9_ -]{1,8}(?:\/[a-z0-9]{1,4})?$/u), {
        maxLength: 3,
      }),
    }),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(observations, (list) => {
      const page = render(list);

      expect(render(list)).toEqual(page);
      const linked = new Set(page.links.map(({ path }) => path));
      for (const path of list.flatMap(({ paths }) => paths)) expect(linked.has(path)).toBe(true);
      expect(page.links.every(({ kind }) => kind === 'REFERENCES')).toBe(true);
    }),
  );
});
