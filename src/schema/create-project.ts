import { createProject } from '../memory/create-project.ts';
import type { Project } from '../memory/page.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';
import { inInput } from './in-input.ts';
import { ProjectRef } from './project.ts';

const CreateProjectInputRef = builder.inputType('CreateProjectInput', {
  description: 'A project to make.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description:
        'Unique in the tenant; at most 128 bytes, without `:`, `/`, `|`, `[`, `]`, `#` and `^`.',
    }),
    description: t.string({ description: 'What it is for; at most 2,000 characters.' }),
  }),
});

const CreateProjectSuccessRef = builder
  .objectRef<{ readonly project: Project }>('CreateProjectSuccess')
  .implement({
    description: 'The project was made.',
    fields: (t) => ({
      project: t.expose('project', { type: ProjectRef, description: 'The project.' }),
    }),
  });

builder.mutationField('createProject', (t) =>
  t.field({
    type: CreateProjectSuccessRef,
    description: 'Makes a project.',
    errors: {
      types: FAILURES.createProject,
      directResult: true,
      union: { name: 'CreateProjectResult', description: 'The project, or why it was not made.' },
    },
    args: {
      input: t.arg({ type: CreateProjectInputRef, required: true, description: 'What to make.' }),
    },
    resolve: async (_root, { input }, context) => {
      const project = await inInput(() => createProject(context.stores, context, input));
      context.forget();
      return { project };
    },
  }),
);
