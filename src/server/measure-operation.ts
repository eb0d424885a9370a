import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { WalkCaps } from '../memory/traverse.ts';

/** What an operation could cost, from its document and variables alone. */
export type OperationSize = {
  /** Objects that could be returned: 1 for each object field, times the sizes of the lists around it. */
  readonly cost: number;
  /** Hops along edges on the longest way down: nested connections and the depth of walks add up. */
  readonly hops: number;
  /** Walks of the graph that could be started: each costs statements of its own, times the lists around it. */
  readonly walks: number;
};

const NOTHING: OperationSize = { cost: 0, hops: 0, walks: 0 };

/** What a field tells about itself in its `extensions`; a function may refuse arguments. */
export type FieldWeight = {
  /** Entries that the field returns at most. */
  readonly size?: (args: Record<string, unknown>, caps: WalkCaps) => number;
  /** Hops along edges that the field takes. */
  readonly hops?: (args: Record<string, unknown>, caps: WalkCaps) => number;
  /** Walks that the field starts. */
  readonly walks?: number;
};

/**
 * Measures an operation that has passed validation. Each fragment is measured once for each type it
 * is spread on; cost is linear in the document.
 *
 * @param variables  coerced values
 * @param caps  the server's, which some fields weigh as much as
 * @throws {MemoryError} for arguments that the field refuses, whatever it would find
 */
export function measureOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
  caps: WalkCaps,
): OperationSize {
  const known = new Map<string, OperationSize>();

  const measure = (type: unknown, set: SelectionSetNode): OperationSize => {
    let sum = NOTHING;
    for (const selection of set.selections) {
      let size: OperationSize;
      if (selection.kind === Kind.FIELD) {
        size = measureField(type, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const on = selection.typeCondition?.name.value;
        size = measure(on === undefined ? type : schema.getType(on), selection.selectionSet);
      } else {
        size = measureSpread(selection.name.value);
      }
      sum = {
        cost: sum.cost + size.cost,
        hops: Math.max(sum.hops, size.hops),
        walks: sum.walks + size.walks,
      };
    }
    return sum;
  };

  const measureField = (type: unknown, node: FieldNode): OperationSize => {
    const field = fieldOf(type, node.name.value);
    if (field === undefined || node.selectionSet === undefined) return NOTHING;
    const weight: FieldWeight = field.extensions;
    const args = getArgumentValues(field, node, variables);
    const entries = Math.max(1, weight.size?.(args, caps) ?? 1);
    const hops = weight.hops?.(args, caps) ?? 0;
    const inner = measure(getNamedType(field.type), node.selectionSet);
    return {
      cost: entries * (1 + inner.cost),
      hops: hops + inner.hops,
      walks: (weight.walks ?? 0) + entries * inner.walks,
    };
  };

  const measureSpread = (name: string): OperationSize => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const fragment = fragments.get(name);
    const size =
      fragment === undefined
        ? NOTHING
        : measure(schema.getType(fragment.typeCondition.name.value), fragment.selectionSet);
    known.set(name, size);
    return size;
  };

  return measure(schema.getRootType(operation.operation), operation.selectionSet);
}

function fieldOf(type: unknown, name: string): GraphQLField<unknown, unknown> | undefined {
  if (isObjectType(type)) return type.getFields()[name];
  if (isInterfaceType(type)) return type.getFields()[name];
  return undefined;
}
