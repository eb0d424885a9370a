import SchemaBuilder, { type SchemaTypes } from '@pothos/core';
import DirectivesPlugin from '@pothos/plugin-directives';
import ErrorsPlugin from '@pothos/plugin-errors';
import FederationPlugin from '@pothos/plugin-federation';
import RelayPlugin from '@pothos/plugin-relay';
import type { JsonObject } from '../memory/attributes.ts';
import type { RequestContext } from './context.ts';
import { fromGlobalId, toGlobalId } from './global-id.ts';

export type Scalars = {
  ID: { Input: string; Output: string };
  /** Text coming in, parsed by the operation that takes it; milliseconds UTC going out. */
  DateTime: { Input: string; Output: number };
  JSONObject: { Input: JsonObject; Output: JsonObject };
  /** A reference of a gateway: parsed by the resolver that takes it. */
  _Any: { Input: unknown; Output: unknown };
};

/** The one schema builder; every file of this folder adds to it. */
export const builder = new SchemaBuilder<{
  Context: RequestContext;
  Scalars: Scalars;
  DefaultFieldNullability: false;
}>({
  defaultFieldNullability: false,
  plugins: [ErrorsPlugin, RelayPlugin, DirectivesPlugin, FederationPlugin],
  errors: { defaultTypes: [] },
  relay: {
    cursorType: 'String',
    encodeGlobalID: toGlobalId,
    decodeGlobalID: fromGlobalId,
    nodeTypeOptions: { description: 'Anything with an id that holds for good.' },
    idFieldOptions: { description: 'Stable and opaque; `node(id:)` finds it again.' },
    nodeQueryOptions: {
      description:
        'One page, project, session or person by id; null when it is not there, or not for the caller.',
      args: { id: { description: 'The `id` of what is asked for.' } },
    },
    // Its own file: here one malformed id would be the end of all.
    nodesQueryOptions: false,
    pageInfoTypeOptions: {
      description: 'Where a page of a connection begins and ends, and whether more follow.',
      shareable: true,
    },
    hasNextPageFieldOptions: { description: 'Whether more follow `endCursor`.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list was entered with `after`.' },
    startCursorFieldOptions: { description: 'Cursor of the first entry; null when empty.' },
    endCursorFieldOptions: { description: 'Cursor of the last entry; pass it as `after`.' },
  },
});

/** What the builder knows, for functions that make fields of several types. */
export type BuilderTypes =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes>
    ? Types
    : never;

builder.queryType({ description: 'Reads. Nothing here changes what is stored.' });
builder.mutationType({
  description:
    'Writes. Each is one transaction. Failures that a caller can act on come as members of the result union.',
});
