import { FieldError, NotFoundError } from '../memory/errors.ts';
import type { ToolAnswer } from '../memory/tool-box.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';

const CallToolSuccessRef = builder.objectRef<ToolAnswer>('CallToolSuccess').implement({
  description: 'What a tool answered.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The tool that ran.' }),
    version: t.exposeString('version', { description: 'Its version.' }),
    result: t.expose('result', { type: 'JSONObject', description: 'The answer, as data.' }),
    text: t.exposeString('text', { description: 'The answer, as lines for a model to read.' }),
  }),
});

const CallToolInputRef = builder.inputType('CallToolInput', {
  description: 'A call of a tool, as a model makes it.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The tool: `memory.search`.' }),
    version: t.string({ description: 'The newest advertised one when left out.' }),
    arguments: t.field({
      type: 'JSONObject',
      description:
        'As the `inputSchema` of the tool says; none when left out. One that is null is left out.',
    }),
  }),
});

builder.mutationField('callTool', (t) =>
  t.field({
    type: CallToolSuccessRef,
    description:
      'Runs a tool as the caller. Some read and some write, each with the scope that `tools` names; a failure names the argument, for the model to mend its call.',
    errors: {
      types: FAILURES.callTool,
      directResult: true,
      union: { name: 'CallToolResult', description: 'The answer, or why there is none.' },
    },
    // One of them walks the graph.
    extensions: { walks: 1 },
    args: {
      input: t.arg({ type: CallToolInputRef, required: true, description: 'What to call.' }),
    },
    resolve: async (_root, { input }, context) => {
      const args = input.arguments ?? {};
      const request = { name: input.name, version: input.version ?? null, arguments: args };
      try {
        return await context.tools.call(context, request);
      } catch (error) {
        throw error instanceof FieldError ? error.under(placeOf(error)) : error;
      }
    },
  }),
);

/** Tools name their arguments; the caller wrote them one level further in than the name and the version. */
function placeOf(error: FieldError): string {
  const isTool = error instanceof NotFoundError && ['name', 'version'].includes(error.field);
  return isTool ? 'input' : 'input.arguments';
}
