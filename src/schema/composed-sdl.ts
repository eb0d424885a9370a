import { parse, print, visit } from 'graphql';

/** Fields of Relay that every subgraph has for itself. */
const OWN_TO_EACH = new Set(['node', 'nodes']);

/**
 * The schema as a gateway composes it: without `node` and `nodes`. Two subgraphs that both follow
 * Relay answer these with different types, which composers refuse; through a gateway, pages and
 * projects are found by their keys.
 */
export function toComposedSdl(sdl: string): string {
  const document = visit(parse(sdl), {
    ObjectTypeDefinition: (type) => (type.name.value === 'Query' ? undefined : false),
    ObjectTypeExtension: (type) => (type.name.value === 'Query' ? undefined : false),
    FieldDefinition: (field) => (OWN_TO_EACH.has(field.name.value) ? null : undefined),
  });
  return `${print(document)}\n`;
}
