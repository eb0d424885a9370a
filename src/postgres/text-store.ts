import type { JsonObject } from '../memory/attributes.ts';
import {
  type StoredTexts,
  TEXT_PLACES,
  type TextPlace,
  type TextStore,
} from '../memory/redact-store.ts';
import type { Connection, Database } from './connect.ts';
import { appendChanges, type GraphChange } from './outbox.ts';
import { writeTransaction } from './write-transaction.ts';

/** The columns that tell rows apart, and those with texts; names of our own tables, never from outside. */
const COLUMNS: { readonly [Place in TextPlace]: { readonly key: string; readonly texts: string } } =
  {
    project: { key: 'tenant, id', texts: 'description' },
    page: { key: 'tenant, id', texts: 'title, tags, attributes, hints' },
    page_version: { key: 'tenant, page_id, version', texts: 'title, body' },
    edge: { key: 'tenant, id', texts: 'note, resolution_note' },
    edge_resolution: { key: 'tenant, edge_id, replaced_at', texts: 'resolution_note' },
    waiting_edge: {
      key: 'tenant, to_project, to_path, from_project, from_path, kind',
      texts: 'note',
    },
    session: { key: 'tenant, id', texts: 'agent, task' },
    person: { key: 'tenant, id', texts: 'name, aliases' },
    observation: { key: 'tenant, session_id, position', texts: 'text' },
    idempotency_key: { key: 'tenant, principal, key', texts: 'answer' },
    audit: { key: 'tenant, id', texts: 'details' },
  };

/** Neo4j has titles and tags of pages and both notes of edges too. */
const IN_GRAPH: { readonly [Place in TextPlace]?: GraphChange['subject'] } = {
  page: 'PAGE',
  edge: 'EDGE',
};

/** The stored texts of all tenants; for an operator, not for callers of the API. */
export function createTextStore(database: Database, clock: () => number): TextStore {
  return {
    countRows: () => countRows(database),
    list: (place, after, first) => list(database, place, after, first),
    replace: (place, old, texts) =>
      writeTransaction(database, String(old.key.tenant), async (connection) => {
        const isReplaced = await replace(connection, place, old, texts);
        const subject = IN_GRAPH[place];
        if (isReplaced && subject !== undefined) {
          const change = { subject, subjectId: String(old.key.id), change: 'UPSERT' } as const;
          await appendChanges(connection, String(old.key.tenant), [change], clock());
        }
        return isReplaced;
      }),
  };
}

async function countRows(connection: Connection): Promise<number> {
  const counts = TEXT_PLACES.map((place) => `(select count(*) from ${place})`);
  const [row] = await connection.query<{ count: number }>({
    name: 'text_count_all',
    text: `select ${counts.join(' + ')} as count`,
  });
  return row?.count ?? 0;
}

function list(
  connection: Connection,
  place: TextPlace,
  after: JsonObject | null,
  first: number,
): Promise<StoredTexts[]> {
  const { key, texts } = COLUMNS[place];
  const keys = key.split(', ');
  const behind = keys.map((_, index) => `$${index + 2}`);
  return connection.query<StoredTexts>({
    name: `${place}_list_texts_${after === null ? 'first' : 'after'}`,
    text: `
      select ${toObject(key)} as key, ${toObject(texts)} as texts
      from ${place}
      ${after === null ? '' : `where (${key}) > (${behind.join(', ')})`}
      order by ${key} limit $1
    `,
    values: [first, ...(after === null ? [] : keys.map((column) => after[column]))],
  });
}

async function replace(
  connection: Connection,
  place: TextPlace,
  { key, texts: old }: StoredTexts,
  texts: JsonObject,
): Promise<boolean> {
  const columns = COLUMNS[place];
  const keys = columns.key.split(', ');
  const matches = keys.map((column, index) => `${column} = $${index + 3}`);
  const rows = await connection.query({
    name: `${place}_replace_texts`,
    text: `
      update ${place} set (${columns.texts}) = (
        select ${columns.texts} from jsonb_populate_record(null::${place}, $2::jsonb)
      )
      where ${matches.join(' and ')} and ${toObject(columns.texts)} = $1::jsonb
      returning 1
    `,
    values: [old, texts, ...keys.map((column) => key[column])],
  });
  return rows.length > 0;
}

function toObject(columns: string): string {
  const pairs = columns.split(', ').map((column) => `'${column}', ${column}`);
  return `jsonb_build_object(${pairs.join(', ')})`;
}
