import { z } from 'zod';
import { EDGE_KINDS } from '../memory/edge.ts';
import { linkPages } from '../memory/link-pages.ts';
import { oneOf, PROJECT, shortListOf, text } from './arguments.ts';
import { saidOfStart } from './edge-words.ts';
import { findNamed, nameOf } from './named-pages.ts';
import { defineTool } from './tool.ts';

/** Both ends of each are pages to look up. */
const MAX_EDGES = 100;

export const memoryLink = defineTool({
  name: 'memory.link',
  version: '1.0.0',
  isAdvertised: true,
  scope: 'memory:write',
  description:
    'State edges between pages, all or none: from causes, fixes, contradicts, supersedes or mentions to.',
  schema: z
    .strictObject({
      edges: shortListOf(
        z.strictObject(
          {
            from: text('the name of a page').describe('project:path, or path.'),
            kind: oneOf(EDGE_KINDS),
            to: text('the name of a page'),
            note: text().optional().describe('Why.'),
            valid_from: text('an instant').optional(),
            valid_to: text('an instant').optional(),
          },
          { error: 'an object with from, kind and to' },
        ),
        'edges',
        MAX_EDGES,
      ),
      idempotency_key: text('a key').optional(),
      project: PROJECT,
    })
    .meta({
      examples: [{ edges: [{ from: 'fixes/pool-size', kind: 'FIXES', to: 'incidents/checkout' }] }],
    }),
  async handler({ access, ...settings }, args) {
    const { caller, projects } = await access.toWrite();
    const names = args.edges.flatMap(({ from, to }, index) => [
      { name: from, field: `edges.${index}.from` },
      { name: to, field: `edges.${index}.to` },
    ]);
    const home = { given: args.project, settings };
    const ends = await findNamed(access, caller.view, names, { projects, home });
    const idAt = (index: number) => {
      const page = ends[index];
      if (page === undefined) throw new Error('Expected a page for each name.');
      return page.id;
    };
    const edges = args.edges.map((edge, index) => ({
      kind: edge.kind,
      fromId: idAt(2 * index),
      toId: idAt(2 * index + 1),
      note: edge.note,
      validFrom: edge.valid_from,
      validTo: edge.valid_to,
    }));
    const request = { edges, idempotencyKey: args.idempotency_key };
    const { result, graphSequence } = await linkPages(access.stores, caller, request);
    access.forget();

    const known = new Map(ends.map((page) => [page.id, nameOf(page, projects)]));
    const linked = result.map(({ edge: { fromId, kind, toId }, created }) => ({
      edge: `${known.get(fromId)} ${saidOfStart(kind, 'OUT')} ${known.get(toId)}`,
      created,
    }));
    return {
      result: { edges: linked, graph_sequence: String(graphSequence) },
      text: linked
        .map(({ edge, created }) => `${edge}${created ? '' : ' (was stated before)'}`)
        .join('\n'),
    };
  },
});
