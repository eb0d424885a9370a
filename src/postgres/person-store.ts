import { v7 as newId } from 'uuid';
import { NotFoundError } from '../memory/errors.ts';
import type { Person, PersonId } from '../memory/person.ts';
import type { AssignedPerson, PersonStore } from '../memory/person-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { once } from './idempotency.ts';
import { findNewest } from './outbox.ts';
import { IS_SEEN, scopeValues } from './page-view.ts';
import { writeTransaction } from './write-transaction.ts';

/** People over a Postgres database. */
export function createPersonStore(database: TenantDatabase, clock: () => number): PersonStore {
  return {
    async create({ tenant }, { name, aliases }, idempotency) {
      const now = clock();
      const toPageIds = () => [];
      const { result } = await writeTransaction(database, tenant, (connection) =>
        once(connection, { tenant, idempotency, now, toPageIds }, async () => {
          const id: PersonId = newId();
          await connection.query({
            name: 'person_insert',
            text: `
              insert into person (tenant, id, name, aliases, created_at)
              values ($1, $2, $3, $4, $5)
            `,
            values: [tenant, id, name, aliases, now],
          });
          return { result: id, graphSequence: await findNewest(connection, tenant) };
        }),
      );
      return result;
    },

    async replace({ tenant }, { id, name, aliases }) {
      const rows = await database.ofTenant(tenant).query({
        name: 'person_update',
        text: 'update person set name = $3, aliases = $4 where tenant = $1 and id = $2 returning id',
        values: [tenant, id, name, aliases],
      });
      if (rows.length === 0) throw new NotFoundError('id', 'a person');
      return id;
    },

    // In the turn of the tenant, as all that a purge of the page must not miss.
    assign: (view, assignment) =>
      writeTransaction(database, view.tenant, (connection) => assign(connection, view, assignment)),

    async findMany({ tenant }, ids) {
      const rows = await database.ofTenant(tenant).query<Person>({
        name: 'person_find_many',
        text: 'select id, name, aliases from person where tenant = $1 and id = any($2::uuid[])',
        values: [tenant, ids],
      });
      const found = new Map(rows.map((person) => [person.id, person]));
      return ids.map((id) => found.get(id) ?? null);
    },

    async list({ tenant }, { named, first, after }) {
      const people = await database.ofTenant(tenant).query<Person>({
        name: `person_list_${after === null ? 'first' : 'after'}`,
        text: `
          select id, name, aliases from person
          where tenant = $1 and ${IS_NAMED}
            ${after === null ? '' : 'and (name collate "C", id) > ($4, $5::uuid)'}
          order by name collate "C", id
          limit $3
        `,
        values: [tenant, named, first + 1, ...(after === null ? [] : [after.name, after.id])],
      });
      return { people: people.slice(0, first), hasMore: people.length > first };
    },

    async count({ tenant }, named) {
      const [row] = await database.ofTenant(tenant).query<{ count: number }>({
        name: 'person_count',
        text: `select count(*) as count from person where tenant = $1 and ${IS_NAMED}`,
        values: [tenant, named],
      });
      return row?.count ?? 0;
    },

    listOfPages: (view, requests) => listOfPages(database.ofTenant(view.tenant), view, requests),
  };
}

const IS_NAMED = '($2::text is null or name = $2::text or $2::text = any(aliases))';

async function assign(
  connection: Connection,
  view: View,
  { personId, pageId, state }: Parameters<PersonStore['assign']>[1],
): Promise<void> {
  const [found] = await connection.query<{ person: boolean; page: boolean }>({
    name: 'person_find_with_page',
    text: `
      select exists (select from person where tenant = $1 and id = $4) as person,
        exists (select from page p where p.id = $5 and ${IS_SEEN}) as page
    `,
    values: [...scopeValues(view), personId, pageId],
  });
  if (found?.person !== true) throw new NotFoundError('person', 'a person');
  if (!found.page) throw new NotFoundError('page', 'a page');
  await connection.query({
    name: 'person_page_upsert',
    text: `
      insert into person_page (tenant, page_id, person_id, state) values ($1, $2, $3, $4)
      on conflict (tenant, page_id, person_id) do update set state = excluded.state
    `,
    values: [view.tenant, pageId, personId, state],
  });
}

type AssignedRow = Person & {
  readonly request: number;
  readonly total: number;
  readonly state: AssignedPerson['state'];
};

async function listOfPages(
  connection: Connection,
  view: View,
  requests: Parameters<PersonStore['listOfPages']>[1],
): ReturnType<PersonStore['listOfPages']> {
  if (requests.length === 0) return [];
  const source = `person_page a join person h on h.tenant = $1 and h.id = a.person_id
    where a.tenant = $1 and a.page_id = p.id and a.state <> 'HIDDEN'`;
  const rows = await connection.query<AssignedRow>({
    name: 'person_list_of_pages',
    text: `
      select asked.request, counted.total, listed.*
      from unnest($4::uuid[], $5::int4[], $6::text[], $7::uuid[]) with ordinality
        as asked(page_id, first, name, id, request)
      join page p on p.id = asked.page_id and ${IS_SEEN}
      cross join lateral (select count(*) as total from ${source}) counted
      left join lateral (
        select h.id, h.name, h.aliases, a.state from ${source}
          and (asked.id is null or (h.name collate "C", h.id) > (asked.name, asked.id))
        order by h.name collate "C", h.id
        limit asked.first + 1
      ) listed on true
      order by asked.request, listed.name collate "C", listed.id
    `,
    values: [
      ...scopeValues(view),
      requests.map(({ pageId }) => pageId),
      requests.map(({ first }) => first),
      requests.map(({ after }) => after?.name ?? null),
      requests.map(({ after }) => after?.id ?? null),
    ],
  });
  const groups = Map.groupBy(rows, ({ request }) => request);
  return requests.map(({ first }, index) => {
    const own = groups.get(index + 1) ?? [];
    // A page without people has one row, of its total alone.
    const people = (own[0]?.total === 0 ? [] : own).flatMap(toAssigned);
    return {
      people: people.slice(0, first),
      hasMore: people.length > first,
      total: own[0]?.total ?? 0,
    };
  });
}

function toAssigned({ id, name, aliases, state }: AssignedRow): AssignedPerson[] {
  return id === null ? [] : [{ person: { id, name, aliases }, state }];
}
