import { z } from 'zod';
import { briefing, DEFAULT_BRIEFING_TOKENS, MAX_BRIEFING_TOKENS } from '../memory/briefing.ts';
import { flag, PROJECT, whole } from './arguments.ts';
import { requireHome } from './named-pages.ts';
import { defineTool } from './tool.ts';

export const memoryBriefing = defineTool({
  name: 'memory.briefing',
  version: '1.0.0',
  isAdvertised: true,
  scope: 'memory:read',
  description:
    'Call it first in a session: standing answers, recent sessions, open problems, unresolved contradictions.',
  schema: z
    .strictObject({
      settled_first: flag().optional().describe('Lead with rules, decisions and the like.'),
      token_budget: whole(1, MAX_BRIEFING_TOKENS)
        .optional()
        .describe(`Most tokens of the answer; ${DEFAULT_BRIEFING_TOKENS} when left out.`),
      project: PROJECT,
    })
    .meta({ examples: [{ project: 'ops' }] }),
  async handler({ access, ...settings }, args) {
    const projects = await access.projects();
    const project = requireHome(projects, { given: args.project, settings });
    const { text, tokens, truncated } = await briefing(access.stores, await access.viewAt(null), {
      project,
      settledFirst: args.settled_first ?? false,
      tokenBudget: args.token_budget ?? null,
    });
    return {
      result: { project: project.name, text, tokens, truncated },
      text: text === '' ? `Nothing to tell yet of "${project.name}".` : text,
    };
  },
});
