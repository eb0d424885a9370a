import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Access } from '../../memory/access.ts';
import { quoteText } from '../../memory/shown-text.ts';
import type { ToolBox, ToolDefinition } from '../../memory/tool-box.ts';
import { json } from '../arguments.ts';

/** Clients take letters, digits, `_` and `-` in the name of a tool. */
const toMcpName = (name: string): string => name.replaceAll('.', '_');

/** Those that models are told of. */
export function listMcpTools(toolBox: ToolBox): Tool[] {
  return toolBox.list().map(toMcpTool);
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

/** Arguments as they came: a record of the library's schema leaves out one that is named `__proto__`. */
export const TOOL_CALL = z.object({
  name: z.string(),
  arguments: json().optional(),
});

/**
 * Runs a tool that models are told of. Its answer is the text alone: the same as data would be read
 * twice.
 *
 * @throws {ProtocolError} for a tool that is not there
 * @throws what `CallableTool.call` throws
 */
export async function callMcpTool(
  toolBox: ToolBox,
  access: Access,
  params: z.output<typeof TOOL_CALL>,
): Promise<CallToolResult> {
  const tool = toolBox.list().find(({ name }) => toMcpName(name) === params.name);
  if (tool === undefined) {
    const message = `Expected a tool of tools/list, but got ${quoteText(params.name)}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const { text } = await tool.call(access, params.arguments ?? {});
  return { content: [{ type: 'text', text }] };
}
