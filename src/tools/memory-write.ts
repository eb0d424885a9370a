import { z } from 'zod';
import { PAGE_KINDS } from '../memory/page.ts';
import { writePages } from '../memory/write-pages.ts';
import { json, listOf, oneOf, PROJECT, text, whole } from './arguments.ts';
import { requireHome } from './named-pages.ts';
import { defineTool } from './tool.ts';

export const memoryWrite = defineTool({
  name: 'memory.write',
  version: '1.0.0',
  isAdvertised: true,
  scope: 'memory:write',
  description:
    'Write one page whole: what is left out is cleared. Search first, and extend the page that is there. Links in the body become edges: [[path]], or typed: "- fixes [[path]]".',
  schema: z
    .strictObject({
      path: text('a path').describe('Like topic/name.'),
      title: text('a title').describe('Say the point itself.'),
      body: text('Markdown').optional(),
      kind: oneOf(PAGE_KINDS).optional(),
      tags: listOf(text('a tag'), 'tags').optional(),
      attributes: json().optional(),
      importance: whole(1, 10).optional(),
      hints: listOf(text('a question'), 'hints')
        .optional()
        .describe('Up to 3 questions it answers.'),
      valid_from: text('an instant').optional().describe('RFC 3339.'),
      valid_to: text('an instant').optional(),
      expected_version: whole(0, 2_147_483_647)
        .optional()
        .describe('Version you read, 0 for none.'),
      idempotency_key: text('a key').optional().describe('Same key, safe retry.'),
      project: PROJECT,
    })
    .meta({
      examples: [
        {
          path: 'fixes/pool-size',
          title: 'Pool of 50 ends checkout timeouts',
          kind: 'FIX',
          body: '- fixes [[incidents/checkout]]',
        },
      ],
    }),
  async handler({ access, ...settings }, { project, ...args }) {
    const { caller, projects } = await access.toWrite();
    const home = requireHome(projects, { given: project, settings });
    const page = {
      projectId: home.id,
      path: args.path,
      title: args.title,
      body: args.body,
      kind: args.kind,
      tags: args.tags,
      attributes: args.attributes,
      importance: args.importance,
      hints: args.hints,
      validFrom: args.valid_from,
      validTo: args.valid_to,
      expectedVersion: args.expected_version,
    };
    const { result, graphSequence } = await writePages(
      access.stores,
      caller,
      { pages: [page], idempotencyKey: args.idempotency_key },
      { projects: projects.byId, hintsEnabled: settings.hintsEnabled, fieldOf: () => '' },
    );
    access.forget();
    const [written] = result;
    if (written === undefined) throw new Error('Expected one written page, but got none.');
    const { outcome, version, path } = written;
    const name = `${home.name}:${path}`;
    return {
      result: { page: name, version, outcome, graph_sequence: String(graphSequence) },
      text: `${OUTCOMES[outcome]} ${name}, version ${version}.`,
    };
  },
});

const OUTCOMES = {
  CREATED: 'Created',
  REVISED: 'Revised',
  RECONSOLIDATED: 'Confirmed what was there, as one more piece of evidence:',
} as const;
