import { AlreadyExistsError } from '../memory/errors.ts';
import type { Project } from '../memory/page.ts';
import type { ProjectStore } from '../memory/page-store.ts';
import type { TenantDatabase } from './connect.ts';

export function createProjectStore(database: TenantDatabase): ProjectStore {
  return {
    list: (tenant, names) =>
      database.ofTenant(tenant).query<Project>({
        name: 'project_list',
        text: `
          select id, name, description, created_at as "createdAt" from project
          where tenant = $1 and ($2::text[] is null or name = any($2::text[]))
          order by name
        `,
        values: [tenant, names === 'ALL' ? null : names],
      }),

    async create(tenant, project) {
      const rows = await database.ofTenant(tenant).query<Project>({
        name: 'project_insert',
        text: `
          insert into project (tenant, id, name, description, created_at)
          values ($1, $2, $3, $4, $5)
          on conflict (tenant, name) do nothing
          returning id, name, description, created_at as "createdAt"
        `,
        values: [tenant, project.id, project.name, project.description, project.createdAt],
      });
      const [created] = rows;
      if (created === undefined) {
        throw new AlreadyExistsError('name', `the project "${project.name}"`);
      }
      return created;
    },
  };
}
