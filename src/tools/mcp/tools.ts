import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Access } from '../../memory/access.ts';
import { isJsonObject, MAX_ATTRIBUTE_DEPTH } from '../../memory/attributes.ts';
import { InvalidInputError } from '../../memory/errors.ts';
import { quoteText } from '../../memory/shown-text.ts';
import type { ToolBox, ToolDefinition } from '../../memory/tool-box.ts';

/** Clients take letters, digits, `_` and `-` in the name of a tool. */
const toMcpName = (name: string): string => name.replaceAll('.', '_');

/** Those that models are told of. */
export function listMcpTools({ tools }: ToolBox): Tool[] {
  return tools.filter(({ isAdvertised }) => isAdvertised).map(toMcpTool);
}

function toMcpTool({ name, version, description, inputSchema, scope }: ToolDefinition): Tool {
  return {
    name: toMcpName(name),
    title: `${name}@${version}`,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: {
      readOnlyHint: scope === 'memory:read',
      // A write makes a new version, and a link says more: nothing is lost by either.
      destructiveHint: false,
      openWorldHint: false,
    },
  };
}

/** A record of the library's schema would leave out an argument that is named `__proto__`. */
export const TOOL_CALL = z.object({ name: z.string(), arguments: z.unknown() });

/**
 * Runs a tool that models are told of. Its answer is the text alone: the same as data would be read
 * twice.
 *
 * @throws {ProtocolError} for a tool that is not there
 * @throws what `ToolBox.call` throws
 */
export async function callMcpTool(
  toolBox: ToolBox,
  access: Access,
  params: z.output<typeof TOOL_CALL>,
): Promise<CallToolResult> {
  const tool = toolBox.tools.find(
    ({ name, isAdvertised }) => isAdvertised && toMcpName(name) === params.name,
  );
  if (tool === undefined) {
    const message = `Expected a tool of tools/list, but got ${quoteText(params.name)}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const args = params.arguments ?? {};
  if (!isJsonObject(args)) {
    const expected = `an object nested at most ${MAX_ATTRIBUTE_DEPTH} deep`;
    throw new InvalidInputError('arguments', expected, 'one that is nested deeper');
  }
  const { name, version } = tool;
  const { text } = await toolBox.call(access, { name, version, arguments: args });
  return { content: [{ type: 'text', text }] };
}
