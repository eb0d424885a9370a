import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/memory/api-key.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { openDoor } from '../../src/open-door.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createKeyStore } from '../../src/postgres/key-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { TOKEN_SECRET } from '../support/door.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const report = () => undefined;
const OPEN = { tokenSecret: null, jwt: null };

test('a store with keys that are good is not served to everyone because a secret was forgotten', async () => {
  const keys = createKeyStore(database);
  const before = await openDoor(OPEN, { keys, report });
  const { key } = await createApiKey(
    { keys, secret: TOKEN_SECRET, clock: Date.now },
    { principal: LOCAL_PRINCIPAL, days: 1 },
  );

  const forgotten = openDoor(OPEN, { keys, report });

  expect(before.principalOf).toBeNull();
  await expect(forgotten).rejects.toThrow(
    /^CAUSEWAY_TOKEN_SECRET: expected the secret that the 1 API keys of this store were made with/u,
  );
  await keys.revoke(key.id, Date.now());
  expect((await openDoor(OPEN, { keys, report })).principalOf).toBeNull();
});

test.each([
  ['a blank name', { name: ' ' }, 1, 'name'],
  ['a tenant with a control', { tenant: 'a\0b' }, 1, 'tenant'],
  ['no scope', { scopes: [] }, 1, 'scopes'],
  ['no day', {}, 0, 'days'],
  ['half a day', {}, 0.5, 'days'],
  ['more than ten years', {}, 3_651, 'days'],
  ['days that are no number', {}, Number.NaN, 'days'],
])('a key with %s is refused by name', async (_what, more, days, field) => {
  const keys = createKeyStore(database);

  const making = createApiKey(
    { keys, secret: TOKEN_SECRET, clock: Date.now },
    { principal: { ...LOCAL_PRINCIPAL, ...more }, days },
  );

  await expect(making).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
});
