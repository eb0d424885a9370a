import type { Run } from '../memory/run.ts';
import { builder } from './builder.ts';
import { ProjectRef } from './project.ts';
import { ViewerRef } from './viewer.ts';

export const RunRef = builder.objectRef<Run>('Run').implement({
  description:
    'The searches of one caller for one task. It lives in the memory of the server process that opened it, and ends with it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names it in searches. No other caller can use it.' }),
    project: t.field({
      type: ProjectRef,
      nullable: true,
      description: 'Where it belongs; null when you may not read it any more.',
      resolve: async ({ projectId }, _args, { projects }) =>
        (await projects()).byId.get(projectId) ?? null,
    }),
    task: t.exposeString('task', { description: 'What for; at most 300 characters.' }),
    principal: t.expose('principal', {
      type: ViewerRef,
      description: 'Who opened it, with the grants of that moment.',
    }),
    checkpoint: t.expose('checkpoint', {
      type: 'DateTime',
      nullable: true,
      description:
        'The newest recorded time of a page in the project when it was opened, as far as you see it; null for none.',
    }),
    model: t.exposeString('model', {
      description: 'The encoder: name, version and dimensions.',
    }),
    leaseEndsAt: t.expose('leaseEndsAt', {
      type: 'DateTime',
      description: 'When it ends by itself, with all that was prepared in it.',
    }),
    searchBudget: t.exposeInt('searchBudget', { description: 'Searches that it was given.' }),
    searchesLeft: t.exposeInt('searchesLeft', { description: 'Searches that are left.' }),
  }),
});
