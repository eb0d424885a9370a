import type { ApiKey, KeyStore, StoredKey } from '../memory/api-key.ts';
import { SENSITIVITIES, sensitivityRank } from '../memory/page.ts';
import type { AccessScope } from '../memory/principal.ts';
import type { Database } from './connect.ts';

/** Heard by every server when a key is revoked; the payload is its id. */
const REVOKED_CHANNEL = 'causeway_key_revoked';

const COLUMNS = `id, tenant, name, scopes, projects, clearance, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

type KeyRow = Omit<ApiKey, 'principal'> & {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly AccessScope[];
  readonly projects: readonly string[] | null;
  readonly clearance: number;
};

/** For an operator and the door: its statements are of all tenants. */
export function createKeyStore(database: Database): KeyStore {
  return {
    async insert({ id, principal, hash, createdAt, expiresAt }) {
      const { tenant, name, scopes, projects, clearance } = principal;
      await database.query({
        name: 'api_key_insert',
        text: `
          insert into api_key
            (tenant, id, hash, name, scopes, projects, clearance, created_at, expires_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        `,
        values: [
          ...[tenant, id, hash, name, scopes, projects === 'ALL' ? null : projects],
          ...[sensitivityRank(clearance), createdAt, expiresAt],
        ],
      });
    },

    async find(id) {
      const [row] = await database.query<KeyRow & Pick<StoredKey, 'hash'>>({
        name: 'api_key_find',
        text: `select hash, ${COLUMNS} from api_key where id = $1`,
        values: [id],
      });
      return row === undefined ? null : { ...toKey(row), hash: row.hash };
    },

    async list(tenant) {
      const rows = await database.query<KeyRow>({
        name: 'api_key_list',
        text: `
          select ${COLUMNS} from api_key where $1::text is null or tenant = $1
          order by created_at, id
        `,
        values: [tenant],
      });
      return rows.map(toKey);
    },

    async revoke(id, at) {
      const [row] = await database.query<KeyRow>({
        name: 'api_key_revoke',
        text: `
          with revoked as (
            update api_key set revoked_at = coalesce(revoked_at, $2) where id = $1 returning *
          )
          select ${COLUMNS}, pg_notify('${REVOKED_CHANNEL}', id) from revoked
        `,
        values: [id, at],
      });
      return row === undefined ? null : toKey(row);
    },

    async noteUse(id, at) {
      await database.query({
        name: 'api_key_note_use',
        text: `
          update api_key set last_used_at = $2
          where id = $1 and (last_used_at is null or last_used_at < $2)
        `,
        values: [id, at],
      });
    },

    watch: (onRevoked) => database.listen(REVOKED_CHANNEL, onRevoked),
  };
}

function toKey({ tenant, name, scopes, projects, clearance, ...row }: KeyRow): ApiKey {
  const { id, createdAt, expiresAt, revokedAt, lastUsedAt } = row;
  const sensitivity = SENSITIVITIES[clearance];
  if (sensitivity === undefined) throw new Error(`Expected a clearance, but got ${clearance}.`);
  return {
    id,
    principal: { tenant, name, scopes, projects: projects ?? 'ALL', clearance: sensitivity },
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}
