import { expect, test } from 'vitest';
import { parseRecallSet } from '../../benchmark/recall/neutral-format.ts';

const SET = {
  memories: [
    { key: 'a', body: 'one', edges: [{ kind: 'FIXES', to: 'b' }] },
    { key: 'b', body: 'two', hints: ['what?'], kind: 'FACT', at: '2026-01-01T00:00:00Z' },
  ],
  queries: [{ q: 'which', relevant: ['a'], category: 'plain' }],
};

/** Each member on a line of its own, as people write it. */
const text = (set: object) => JSON.stringify(set, null, 1);

test('reads memories and queries as they are', () => {
  expect(parseRecallSet(text(SET), 'set.json')).toEqual(SET);
});

test.each([
  ['broken JSON', '{\n"memories": [,]\n}', 'set.json:2 (root): '],
  ['a comment', '{\n// no\n}', 'set.json:2 (root): '],
  ['no text at all', '', 'set.json:1 (root): '],
  ['no memories', text({ ...SET, memories: [] }), 'set.json:2 memories: '],
  ['a missing field', text({ ...SET, memories: [{ key: 'a' }] }), 'set.json:3 memories.0.body: '],
  [
    'an unknown field',
    text({ ...SET, queries: [{ q: 'x', relevant: ['a'], answer: 1 }] }),
    'set.json:24 queries.0: ',
  ],
  [
    'a key that comes twice',
    text({ ...SET, memories: [...SET.memories, { key: 'a', body: 'three' }] }),
    'set.json:23 memories.2.key: ',
  ],
  [
    'an unknown key in relevant',
    text({ ...SET, queries: [{ q: 'x', relevant: ['a', 'nobody'] }] }),
    'set.json:28 queries.0.relevant.1: ',
  ],
  [
    'an edge to nowhere',
    text({ ...SET, memories: [{ key: 'a', body: 'x', edges: [{ kind: 'FIXES', to: 'c' }] }] }),
    'set.json:9 memories.0.edges.0.to: ',
  ],
  [
    'a time without an offset',
    text({ ...SET, memories: [{ key: 'a', body: 'x', at: '2026-01-01T00:00:00' }] }),
    'set.json:6 memories.0.at: ',
  ],
])('names file, line and field of %s', (_what, given, place) => {
  expect(() => parseRecallSet(given, 'set.json')).toThrow(
    expect.objectContaining({
      name: 'DataFileError',
      message: expect.stringMatching(new RegExp(`^${place.replace(/[.()]/gu, '\\$&')}\\S`, 'u')),
    }),
  );
});
