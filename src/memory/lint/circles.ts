/** Pages that can all reach each other, and a way round through any of them. */
export type Circles = {
  readonly members: readonly string[];
  /** A shortest circle that begins at a member: each has an edge to the next, the last to the first. */
  readonly through: (member: string) => readonly string[];
};

/** Links as they come, and the circles among all of them in the end. */
export type CircleFinder = {
  add(from: string, to: string): void;
  find(): Generator<Circles>;
};

/**
 * Finds the strongly connected components of two members or more: every circle lies in one of them.
 * Time and memory grow with the links, however many circles there are, and no call nests.
 *
 * Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Comput. 1972.
 */
export function createCircleFinder(): CircleFinder {
  const numbers = new Map<string, number>();
  const next: number[][] = [];
  const toNumber = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, next.length);
    next.push([]);
    return next.length - 1;
  };
  return {
    add(from, to) {
      const number = toNumber(from);
      next[number]?.push(toNumber(to));
    },
    find: () => findCircles([...numbers.keys()], next),
  };
}

/** By the number of a node, those that it leads to. */
type Graph = readonly (readonly number[])[];

function* findCircles(names: readonly string[], next: Graph): Generator<Circles> {
  for (const component of components(next)) {
    if (component.length === 1) continue;
    const inside = new Set(component);
    const numberOf = new Map(component.map((node) => [names[node] ?? '', node]));
    yield {
      members: [...numberOf.keys()],
      through: (member) =>
        wayRound(numberOf.get(member) ?? -1, next, inside).map((node) => names[node] ?? ''),
    };
  }
}

/** Of each component its nodes; those that lie on no circle are alone. */
function* components(next: Graph): Generator<readonly number[]> {
  const UNSEEN = -1;
  const order = new Int32Array(next.length).fill(UNSEEN);
  const low = new Int32Array(next.length);
  const isOpen = new Uint8Array(next.length);
  const open: number[] = [];
  let seen = 0;

  for (let start = 0; start < next.length; start++) {
    if (order[start] !== UNSEEN) continue;
    // The walk's own stack: a chain of causes may be longer than calls may nest.
    const trail: { readonly node: number; at: number }[] = [];
    const enter = (node: number) => {
      order[node] = seen;
      low[node] = seen;
      seen += 1;
      isOpen[node] = 1;
      open.push(node);
      trail.push({ node, at: 0 });
    };
    enter(start);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const { node } = top;
      const to = next[node]?.[top.at];
      top.at += 1;
      if (to !== undefined) {
        if (order[to] === UNSEEN) enter(to);
        else if (isOpen[to] === 1) low[node] = Math.min(low[node] ?? 0, order[to] ?? 0);
        continue;
      }
      trail.pop();
      const parent = trail.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen[member] = 0;
      yield component;
    }
  }
}

/** Breadth first, back to the start. */
function wayRound(start: number, next: Graph, inside: ReadonlySet<number>): readonly number[] {
  const cameFrom = new Map<number, number>();
  const frontier = [start];
  for (const node of frontier) {
    for (const to of next[node] ?? []) {
      if (to === start) return wayBack(node, start, cameFrom);
      if (!inside.has(to) || cameFrom.has(to)) continue;
      cameFrom.set(to, node);
      frontier.push(to);
    }
  }
  return [];
}

function wayBack(
  last: number,
  start: number,
  cameFrom: ReadonlyMap<number, number>,
): readonly number[] {
  const way: number[] = [];
  for (let node = last; node !== start; node = cameFrom.get(node) ?? start) way.push(node);
  return [start, ...way.reverse()];
}
