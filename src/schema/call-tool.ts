import { FieldError } from '../memory/errors.ts';
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
      const tool = await placed('input', () =>
        context.tools.find(input.name, input.version ?? null),
      );
      return placed('input.arguments', () => tool.call(context, input.arguments ?? {}));
    },
  }),
);

/** Who called wrote the values of an error further in than it says. */
async function placed<Result>(
  place: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FieldError ? error.under(place) : error;
  }
}
