import type { Server } from '@modelcontextprotocol/server';
import type { Access } from '../../memory/access.ts';
import type { ToolBox } from '../../memory/tool-box.ts';
import { createAnswers, type Reports } from './answers.ts';
import { CheckedServer } from './checked-server.ts';
import { REFLECT, toReflectPrompt } from './reflect-prompt.ts';
import { listResources, PAGE_TEMPLATE, readResource } from './resources.ts';
import { callMcpTool, listMcpTools, TOOL_CALL } from './tools.ts';

export type McpOptions = Reports & {
  readonly tools: ToolBox;
  /** Of this program. */
  readonly version: string;
  /** What the caller may read and write; asked anew for each request. */
  readonly openAccess: () => Access | Promise<Access>;
};

const INSTRUCTIONS =
  'Long-term memory of pages joined by typed edges. Begin a session with the briefing; search before you answer from memory and before you write. A page is named project:path. When one page replaces or disputes another, link them, so that the next reader sees it.';

/** The tools, pages and prompts over MCP, for one request or one connection. Keeps nothing of its own. */
export function createMcpServer({ tools, version, openAccess, ...reports }: McpOptions): Server {
  const server = new CheckedServer(
    reports.note,
    { name: 'causeway', title: 'Causeway memory', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const { toResult, orProtocolError } = createAnswers(reports);

  server.setRequestHandler('tools/list', () => ({ tools: listMcpTools(tools) }));
  server.setRequestHandler('tools/call', { params: TOOL_CALL }, (params) =>
    toResult(async () => callMcpTool(tools, await openAccess(), params)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    orProtocolError(async () => listResources(await openAccess(), params?.cursor ?? null)),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [PAGE_TEMPLATE],
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    orProtocolError(async () => readResource(await openAccess(), params.uri)),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [REFLECT] }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    orProtocolError(async () => toReflectPrompt(params)),
  );
  return server;
}
