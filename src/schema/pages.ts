import { InvalidInputError } from '../memory/errors.ts';
import { parsePagePath } from '../memory/page-path.ts';
import { AsOfInputRef, toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import { toPageId } from './global-id.ts';
import { PageRef } from './page.ts';
import { PageFilterInputRef, toPageFilter } from './page-filter.ts';
import { findProject } from './project.ts';

/** Entries of `pages` when the caller does not say how many. */
const DEFAULT_PAGES = 20;

builder.queryField('page', (t) =>
  t.field({
    type: PageRef,
    nullable: true,
    description:
      'One page, by `id` or by `project` and `path`; null when it is not there, or not for the caller.',
    args: {
      id: t.arg.id({ description: 'Its id.' }),
      project: t.arg.string({ description: 'The exact name of its project; with `path`.' }),
      path: t.arg.string({ description: 'Its path in the project.' }),
      asOf: t.arg({ type: AsOfInputRef, description: 'Reads the past.' }),
    },
    resolve: async (_root, { id, project, path, asOf }, context) => {
      const { page, pageByKey } = context.loadersAt(toAsOf(asOf, context));
      if (id != null && project == null && path == null) return page.load(toPageId(id, 'id'));
      if (id != null || project == null || path == null) {
        throw new InvalidInputError('page', 'either id, or project and path', 'another choice');
      }
      if (project === '')
        throw new InvalidInputError('project', 'the name of a project', 'an empty text');
      const found = findProject({ name: project }, await context.projects());
      return found && pageByKey.load({ projectId: found.id, path: parsePagePath(path) });
    },
  }),
);
