import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/**
 * Whether the operation may ask for a field of what a resolver answers, through fragments too. A
 * `@skip` is passed over: then a field is made ready that nobody reads.
 */
export function isSelected({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet);
      return isIn(fragments[selection.name.value]?.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet));
}
