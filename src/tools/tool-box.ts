import type { Access } from '../memory/access.ts';
import { checkDepth } from '../memory/attributes.ts';
import { requireScope } from '../memory/caller.ts';
import { NotFoundError } from '../memory/errors.ts';
import { quoteText } from '../memory/shown-text.ts';
import type { ToolAnswer, ToolBox, ToolRequest } from '../memory/tool-box.ts';
import { memoryBriefing } from './memory-briefing.ts';
import { memoryLink } from './memory-link.ts';
import { memoryPage } from './memory-page.ts';
import { memorySearch, memorySearchByKind } from './memory-search.ts';
import { memoryTraverse } from './memory-traverse.ts';
import { memoryWrite } from './memory-write.ts';
import type { Tool, ToolSettings } from './tool.ts';

/** By name, newest version first. */
const TOOLS: readonly Tool[] = [
  memoryBriefing,
  memoryLink,
  memoryPage,
  memorySearch,
  memorySearchByKind,
  memoryTraverse,
  memoryWrite,
];

/** The registry: the same tools for GraphQL and for MCP. */
export function createToolBox(settings: ToolSettings): ToolBox {
  return {
    tools: TOOLS,
    async call(access, request) {
      const tool = findTool(request);
      const { name, version } = tool;
      return { name, version, ...(await run(tool, access, settings, request)) };
    },
  };
}

function findTool({ name, version }: ToolRequest): Tool {
  const versions = TOOLS.filter((tool) => tool.name === name);
  if (versions.length === 0) throw new NotFoundError('name', `a tool named ${quoteText(name)}`);
  const found = versions.find((tool) =>
    version === null ? tool.isAdvertised : tool.version === version,
  );
  if (found === undefined) {
    const known = versions.map((tool) => tool.version).join(' and ');
    throw new NotFoundError('version', `${name}@${version ?? ''} (there is ${known})`);
  }
  return found;
}

async function run(
  tool: Tool,
  access: Access,
  settings: ToolSettings,
  { arguments: args }: ToolRequest,
): Promise<Omit<ToolAnswer, 'name' | 'version'>> {
  requireScope(access, tool.scope);
  checkDepth(args, 'arguments');
  return tool.run({ ...settings, access }, args);
}
