import type { ReflectionStore } from '../memory/reflection-store.ts';
import type { TenantDatabase } from './connect.ts';

/** What was reflected on, over a Postgres database. */
export function createReflectionStore(database: TenantDatabase): ReflectionStore {
  return {
    async findDigest({ tenant, projectIds, clearance }, { projectId, sensitivity }) {
      const [row] = await database.ofTenant(tenant).query<{ digest: string }>({
        name: 'reflection_find',
        text: `
          select digest from reflection
          where tenant = $1 and project_id = $2 and sensitivity = $3
            and project_id = any($4::uuid[]) and sensitivity <= $5::int2
        `,
        values: [tenant, projectId, sensitivity, projectIds, clearance],
      });
      return row?.digest ?? null;
    },

    async putDigest({ tenant }, { projectId, sensitivity }, digest) {
      await database.ofTenant(tenant).query({
        name: 'reflection_upsert',
        text: `
          insert into reflection (tenant, project_id, sensitivity, digest) values ($1, $2, $3, $4)
          on conflict (tenant, project_id, sensitivity) do update set digest = excluded.digest
        `,
        values: [tenant, projectId, sensitivity, digest],
      });
    },
  };
}
