import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCircleFinder } from '../../src/memory/lint/circles.ts';

type Link = readonly [from: number, to: number];

const link = fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 })).filter(([from, to]) => from !== to);

function find(links: readonly Link[]) {
  const finder = createCircleFinder();
  for (const [from, to] of links) finder.add(String(from), String(to));
  return [...finder.find()];
}

/** Nodes that lead back to themselves, by trying every way. */
function onCircles(links: readonly Link[]): string[] {
  const reached = (start: number): Set<number> => {
    const seen = new Set<number>();
    const frontier = [start];
    for (const node of frontier) {
      for (const [from, to] of links) {
        if (from !== node || seen.has(to)) continue;
        seen.add(to);
        frontier.push(to);
      }
    }
    return seen;
  };
  const nodes = [...new Set(links.flat())];
  return nodes.filter((node) => reached(node).has(node)).map(String);
}

test('every node on a circle is a member of one group, and no other node is', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 20 }), (links) => {
      const members = find(links).flatMap((circles) => circles.members);

      expect(members.toSorted()).toEqual(onCircles(links).toSorted());
    }),
  );
});

test('the way through a member is a circle of links that begins there, and none is shorter', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 20 }), (links) => {
      const said = new Set(links.map(([from, to]) => `${from}>${to}`));
      for (const { members, through } of find(links)) {
        for (const member of members) {
          const way = through(member);
          expect(way[0]).toBe(member);
          expect(new Set(way).size).toBe(way.length);
          way.forEach((node, index) => {
            expect(said).toContain(`${node}>${way[(index + 1) % way.length]}`);
          });
          expect(way.length).toBe(shortest(links, Number(member)));
        }
      }
    }),
  );
});

test('follows a chain longer than calls may nest', () => {
  const links = Array.from({ length: 100_000 }, (_, node): Link => [node, node + 1]);

  const [circles, ...others] = find([...links, [100_000, 0]]);

  expect(others).toEqual([]);
  expect(circles?.members).toHaveLength(100_001);
  expect(circles?.through('0')).toHaveLength(100_001);
  expect(find(links)).toEqual([]);
});

/** Steps until the start is reached again, level by level. */
function shortest(links: readonly Link[], start: number): number {
  let level = new Set([start]);
  for (let steps = 1; steps <= 10; steps++) {
    level = new Set(links.flatMap(([from, to]) => (level.has(from) ? [to] : [])));
    if (level.has(start)) return steps;
  }
  return 0;
}
