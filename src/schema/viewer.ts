import type { Principal } from '../memory/principal.ts';
import { builder } from './builder.ts';
import { SensitivityRef } from './enums.ts';

export const ViewerRef = builder.objectRef<Principal>('Viewer').implement({
  description: 'Who you are to this server, and what you may do.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Your name.' }),
    tenant: t.exposeString('tenant', { description: 'The isolation boundary that you are in.' }),
    scopes: t.exposeStringList('scopes', {
      description: '`memory:read`, `memory:write`, `memory:admin`.',
    }),
    projects: t.stringList({
      nullable: true,
      description: 'Names of the projects that you may use; null for all of the tenant.',
      resolve: ({ projects }) => (projects === 'ALL' ? null : projects),
    }),
    clearance: t.expose('clearance', {
      type: SensitivityRef,
      description: 'The highest sensitivity that you may read and write.',
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    description: 'Who you are to this server.',
    resolve: (_root, _args, { principal }) => principal,
  }),
);
