import {
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

/** What an operation could cost, from its document and variables alone. */
export type OperationSize = {
  /** Objects that could be returned: 1 for each object field, times the sizes of the lists around it. */
  readonly cost: number;
  /** Hops along edges on the longest way down: nested connections and the depth of walks add up. */
  readonly hops: number;
};

/** What a field tells about itself in its `extensions`. */
export type FieldWeight = {
  /** Entries that the field returns at most. */
  readonly size?: (args: Record<string, unknown>) => number;
  /** Hops along edges that the field takes. */
  readonly hops?: (args: Record<string, unknown>) => number;
};

/**
 * Measures an operation that has passed validation. Each fragment is measured once for each type it
 * is spread on; cost is linear in the document.
 *
 * @param variables  coerced values
 */
export function measureOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
): OperationSize {
  const known = new Map<string, OperationSize>();

  const measure = (type: unknown, set: SelectionSetNode): OperationSize => {
    let cost = 0;
    let hops = 0;
    for (const selection of set.selections) {
      let size: OperationSize;
      if (selection.kind === Kind.FIELD) {
        const field = fieldOf(type, selection.name.value);
        if (field === undefined || selection.selectionSet === undefined) continue;
        const inner = measure(getNamedType(field.type), selection.selectionSet);
        const weight: FieldWeight = field.extensions;
        const args = getArgumentValues(field, selection, variables);
        const entries = Math.max(1, weight.size?.(args) ?? 1);
        size = {
          cost: entries * (1 + inner.cost),
          hops: (weight.hops?.(args) ?? 0) + inner.hops,
        };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const on = selection.typeCondition?.name.value;
        size = measure(on === undefined ? type : schema.getType(on), selection.selectionSet);
      } else {
        size = measureSpread(selection.name.value);
      }
      cost += size.cost;
      hops = Math.max(hops, size.hops);
    }
    return { cost, hops };
  };

  const measureSpread = (name: string): OperationSize => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const fragment = fragments.get(name);
    const size =
      fragment === undefined
        ? { cost: 0, hops: 0 }
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
