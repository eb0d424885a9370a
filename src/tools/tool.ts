import { z } from 'zod';
import type { Access } from '../memory/access.ts';
import { isJsonObject, type JsonObject } from '../memory/attributes.ts';
import { InvalidInputError } from '../memory/errors.ts';
import type { ToolAnswer, ToolDefinition } from '../memory/tool-box.ts';
import { parseArguments } from './parse-arguments.ts';

/** What the server's settings say. */
export type ToolSettings = {
  /** Hops of a walk, 1 to 8. */
  readonly maxDepth: number;
  readonly hintsEnabled: () => boolean;
  /** The project where a call names none; null where none is meant. */
  readonly defaultProject: string | null;
};

/** What a tool has to work with. */
export type ToolContext = ToolSettings & { readonly access: Access };

export type ToolResult = Pick<ToolAnswer, 'result' | 'text'>;

export type Tool = ToolDefinition & {
  /** Checks the arguments and does the work. The scope is checked before. */
  readonly run: (context: ToolContext, args: JsonObject) => Promise<ToolResult>;
};

/** A tool from one schema, which both checks the arguments and tells models of them. */
export function defineTool<Schema extends z.ZodObject>({
  schema,
  handler,
  ...rest
}: Omit<ToolDefinition, 'inputSchema'> & {
  readonly schema: Schema;
  readonly handler: (context: ToolContext, args: z.output<Schema>) => Promise<ToolResult>;
}): Tool {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  if (!isJsonObject(inputSchema)) throw new Error(`${rest.name}: its schema is no JSON.`);
  return {
    ...rest,
    inputSchema,
    async run(context, args) {
      const parsed = parseArguments(schema, inputSchema, args);
      try {
        return await handler(context, parsed);
      } catch (error) {
        throw error instanceof InvalidInputError ? asArgument(error) : error;
      }
    },
  };
}

/** Memory names a field `validFrom` where a tool's argument is `valid_from`; names of attributes are the caller's. */
function asArgument(error: InvalidInputError): InvalidInputError {
  const { field, expected, received } = error;
  if (field.startsWith('attributes.')) return error;
  const argument = field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  return new InvalidInputError(argument, expected, received);
}
