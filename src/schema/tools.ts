import type { ToolDefinition } from '../memory/tool-box.ts';
import { builder } from './builder.ts';

/** More than there are, so that a new one changes no cost. */
const MAX_TOOLS = 20;

const ToolRef = builder.objectRef<ToolDefinition>('Tool').implement({
  description: 'Something that a model may call.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name: `memory.search`.' }),
    version: t.exposeString('version', {
      description: 'Semantic version: another meaning of the arguments is another version.',
    }),
    description: t.exposeString('description', { description: 'What to tell the model.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONObject',
      description:
        'JSON Schema of the arguments: an object that takes nothing else. Null for an optional one is the same as leaving it out.',
    }),
    advertised: t.boolean({
      description: 'Whether models are to be told of it; others are for diagnosis.',
      resolve: ({ isAdvertised }) => isAdvertised,
    }),
    scope: t.string({
      description: 'What a caller needs: `memory:read` or `memory:write`.',
      resolve: ({ scope }) => scope,
    }),
  }),
});

builder.queryField('tools', (t) =>
  t.field({
    type: [ToolRef],
    description: 'The tools to tell a model of, by name. MCP at `/mcp` serves the same.',
    extensions: { size: () => MAX_TOOLS },
    args: {
      includeUnadvertised: t.arg.boolean({
        description: 'Also those that are called by name and version alone; false by default.',
      }),
    },
    resolve: (_root, { includeUnadvertised }, { tools }) =>
      tools.list({ includeUnadvertised: includeUnadvertised === true }),
  }),
);
