import { expect, test } from 'vitest';
import { rankNeighbours, type Way } from '../../src/memory/graph-arm.ts';

function wayTo(pageId: string, value: number, edge: Way['via']['edge']): Way {
  return { pageId, value, via: { edge, direction: 'OUT', fromId: 'from', depth: 1, path: [] } };
}

test('a hit that only weak neighbours lend to keeps its loan behind hundreds of others', () => {
  const others = Array.from({ length: 400 }, (_, index) => wayTo(`other-${index}`, 1, 'FOLLOWS'));

  const ranked = rankNeighbours([...others, wayTo('hit', 0.1, 'FOLLOWS')], new Set(['hit']));

  expect(ranked).toHaveLength(301);
  expect(ranked.at(-1)).toMatchObject({ pageId: 'hit', value: 0.1 });
});

test('edges lead to the best 50, found or not', () => {
  const others = Array.from({ length: 60 }, (_, index) => wayTo(`other-${index}`, 1, 'CAUSES'));

  const ranked = rankNeighbours([...others, wayTo('hit', 0.1, 'CAUSES')], new Set(['hit']));

  expect(ranked.map(({ pageId }) => pageId)).toEqual(
    others.slice(0, 50).map(({ pageId }) => pageId),
  );
});
