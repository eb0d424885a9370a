import { checkDepth } from '../memory/attributes.ts';
import { requireScope } from '../memory/caller.ts';
import { NotFoundError } from '../memory/errors.ts';
import { quoteText } from '../memory/shown-text.ts';
import type { CallableTool, ToolBox } from '../memory/tool-box.ts';
import { memoryBriefing } from './memory-briefing.ts';
import { memoryLink } from './memory-link.ts';
import { memoryPage } from './memory-page.ts';
import { memorySearch, memorySearchByKind } from './memory-search.ts';
import { memoryTraverse } from './memory-traverse.ts';
import { memoryWrite } from './memory-write.ts';
import type { Tool, ToolSettings } from './tool.ts';

/** The registry: the same tools for GraphQL and for MCP. */
export function createToolBox(settings: ToolSettings): ToolBox {
  const tools = [
    memoryBriefing,
    memoryLink,
    memoryPage,
    memorySearch,
    memorySearchByKind,
    memoryTraverse(settings),
    memoryWrite,
  ].map((tool) => toCallable(tool, settings));

  return {
    list: ({ includeUnadvertised = false } = {}) =>
      tools.filter(({ isAdvertised }) => isAdvertised || includeUnadvertised),
    find(name, version) {
      const versions = tools.filter((tool) => tool.name === name);
      if (versions.length === 0) throw new NotFoundError('name', `a tool named ${quoteText(name)}`);
      const found = versions.find((tool) =>
        version === null ? tool.isAdvertised : tool.version === version,
      );
      if (found === undefined) {
        const known = versions.map((tool) => tool.version).join(' and ');
        throw new NotFoundError('version', `${name}@${version ?? ''} (there is ${known})`);
      }
      return found;
    },
  };
}

function toCallable({ run, ...tool }: Tool, settings: ToolSettings): CallableTool {
  const { name, version, scope } = tool;
  return {
    ...tool,
    async call(access, args) {
      requireScope(access, scope);
      checkDepth(args, 'arguments');
      return { name, version, ...(await run({ ...settings, access }, args)) };
    },
  };
}
