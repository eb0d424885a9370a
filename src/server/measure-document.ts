import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** How much a document asks for, before any of it is validated. */
export type DocumentSize = {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
};

/**
 * Measures the largest operation of a document. Each fragment is measured once, and counted at each
 * place where it is spread, so that spreading cannot hide depth or aliases; cost is linear in the
 * document. A fragment that spreads itself counts as endless.
 */
export function measureDocument(document: DocumentNode): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition);
    }
  }

  const known = new Map<string, Size>();
  const open = new Set<string>();

  const measureSpread = (name: string): Size => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const fragment = fragments.get(name);
    if (fragment === undefined) return NOTHING;
    if (open.has(name)) return ENDLESS;
    open.add(name);
    const size = measure(fragment.selectionSet);
    open.delete(name);
    known.set(name, size);
    return size;
  };

  const measure = (set: SelectionSetNode | undefined): Size => {
    let size = NOTHING;
    for (const selection of set?.selections ?? []) {
      const directives = selection.directives?.length ?? 0;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        size = add(size, measureSpread(selection.name.value), { directives });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        size = add(size, measure(selection.selectionSet), { directives });
      } else {
        const inner = measure(selection.selectionSet);
        const aliases = selection.alias === undefined ? 0 : 1;
        const field = { ...inner, depth: inner.depth + 1, fields: 1 };
        size = add(size, field, { directives, aliases });
      }
    }
    return size;
  };

  let largest = { depth: 0, aliases: 0, directives: 0, rootFields: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measure(definition.selectionSet);
    largest = {
      depth: Math.max(largest.depth, size.depth),
      aliases: Math.max(largest.aliases, size.aliases),
      directives: Math.max(
        largest.directives,
        size.directives + (definition.directives?.length ?? 0),
      ),
      rootFields: Math.max(largest.rootFields, size.fields),
    };
  }
  return largest;
}

/** `fields`: those of this very level, through fragments. */
type Size = {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly fields: number;
};

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, fields: 0 };
const ENDLESS: Size = {
  depth: Number.POSITIVE_INFINITY,
  aliases: Number.POSITIVE_INFINITY,
  directives: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
};

function add(size: Size, more: Size, extra: { directives: number; aliases?: number }): Size {
  return {
    depth: Math.max(size.depth, more.depth),
    aliases: size.aliases + more.aliases + (extra.aliases ?? 0),
    directives: size.directives + more.directives + extra.directives,
    fields: size.fields + more.fields,
  };
}
