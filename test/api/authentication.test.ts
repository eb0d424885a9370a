import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/memory/principal.ts';
import type { Database } from '../../src/postgres/connect.ts';
import type { JwtRules } from '../../src/server/admit-jwt.ts';
import { openTestDatabase } from '../support/database.ts';
import { type GuardedServer, openGuardedServer } from '../support/door.ts';

const VIEWER = '{ viewer { name tenant scopes projects clearance } }';
const READER: Principal = {
  tenant: 'acme',
  name: 'reader',
  scopes: ['memory:read'],
  projects: ['notes'],
  clearance: 'INTERNAL',
};

const EVERYTHING = {
  name: 'everyone',
  scopes: ['memory:read', 'memory:write'],
  projects: 'ALL',
  clearance: 'RESTRICTED',
} as const;
const CREATE_PROJECT =
  'mutation ($name: String!) { createProject(input: { name: $name }) { __typename } }';
const WRITE_PAGE = `mutation ($body: String!) {
  writePage(input: { project: "log", page: { path: "a", title: "A", body: $body, kind: FACT } }) {
    __typename
  }
}`;

const DAY = 24 * 60 * 60 * 1_000;
let late = 0;
let database: Database;
let server: GuardedServer;
beforeAll(async () => {
  database = await openTestDatabase();
  server = await openGuardedServer(database, { clock: () => Date.now() + late });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const bearer = (token: string): string => `Bearer ${token}`;

/** What a refusal looks like from outside: the same for every token that is no good. */
async function outside(response: Response) {
  return {
    status: response.status,
    says: response.headers.get('www-authenticate'),
    body: await response.json(),
  };
}

const REFUSED = {
  status: 401,
  says: 'Bearer realm="causeway", error="invalid_token"',
  body: {
    errors: [
      {
        message: 'Authorization: expected a bearer token that is valid here, but got another.',
        extensions: { code: 'UNAUTHENTICATED', retryable: false, received: 'another' },
      },
    ],
  },
};

describe('an API key', () => {
  test('lets its principal in, with what it was made for', async () => {
    const { token } = await server.newKey(READER);

    const response = await server.post(bearer(token), VIEWER);

    expect(await response.json()).toEqual({ data: { viewer: READER } });
  });

  test('is asked for: without one there is a 401 that says so', async () => {
    const { status, says, body } = await outside(await server.post(null, VIEWER));

    expect([status, says]).toEqual([401, 'Bearer realm="causeway"']);
    expect(body.errors[0]).toEqual({
      message: 'Authorization: expected a bearer token that is valid here, but got none.',
      extensions: { code: 'UNAUTHENTICATED', retryable: false, received: 'none' },
    });
  });

  test.each([
    ['no token', 'Bearer'],
    ['another scheme', 'Basic bG9jYWw6bG9jYWw='],
    ['an unknown key', bearer(`cwk_0123456789abcdef_${'A'.repeat(43)}`)],
    ['half a key', bearer('cwk_0123456789abcdef')],
    ['a text of any kind', bearer('letmein')],
    ['a JWT where none is taken', bearer('eyJhbGciOiJub25lIn0.e30.')],
    ['a very long token', bearer('x'.repeat(8_000))],
  ])('is refused when it is %s', async (_what, authorization) => {
    expect(await outside(await server.post(authorization, VIEWER))).toEqual(REFUSED);
  });

  test('is refused with the same answer when wrong, expired or revoked', async () => {
    const wrong = await server.newKey(READER);
    const expired = await server.newKey(READER, 1);
    const revoked = await server.newKey(READER, 30);
    await server.keys.revoke(revoked.key.id, Date.now());
    const tampered = wrong.token.slice(0, -1) + (wrong.token.endsWith('A') ? 'B' : 'A');

    const asTampered = await outside(await server.post(bearer(tampered), VIEWER));
    late = 2 * DAY;
    const asExpired = await outside(await server.post(bearer(expired.token), VIEWER));
    late = 0;
    const asRevoked = await outside(await server.post(bearer(revoked.token), VIEWER));

    expect([asTampered, asExpired, asRevoked]).toEqual([REFUSED, REFUSED, REFUSED]);
  });

  test('is refused as soon as it is revoked, though it was just let in', async () => {
    const { token, key } = await server.newKey(READER);
    const before = await server.post(bearer(token), VIEWER);

    await server.keys.revoke(key.id, Date.now());

    expect(before.status).toBe(200);
    await expect.poll(async () => (await server.post(bearer(token), VIEWER)).status).toBe(401);
  });

  test('stays revoked at the time it was revoked first', async () => {
    const { key } = await server.newKey(READER);
    await server.keys.revoke(key.id, 1_000);

    const again = await server.keys.revoke(key.id, 2_000);

    expect(again?.revokedAt).toBe(1_000);
    expect(await server.keys.revoke('ffffffffffffffff', 3_000)).toBeNull();
  });

  test('is kept as a hash alone', async () => {
    const { token } = await server.newKey(READER);
    const secret = token.split('_').slice(2).join('_');

    const rows = await database.query({ text: 'select *, hash::text as text from api_key' });

    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'));
  });

  test('is used a hundred times for one look-up and one write of its last use', async () => {
    const { token, key } = await server.newKey(READER);
    const before = database.statements;

    for (let use = 0; use < 100; use++) await server.post(bearer(token), VIEWER);

    await expect.poll(async () => (await find(key.id))?.lastUsedAt).toBeGreaterThan(0);
    // The poll has looked at least once.
    expect(database.statements - before).toBeLessThan(10);
  });

  test('of one tenant sees nothing of another', async () => {
    const ours = await server.newKey({ ...EVERYTHING, tenant: 'ours' });
    const theirs = await server.newKey({ ...EVERYTHING, tenant: 'theirs' });
    await server.post(bearer(ours.token), CREATE_PROJECT, { name: 'plans' });

    const asked = '{ projects { totalCount } project(name: "plans") { name } }';
    const seenByUs = await (await server.post(bearer(ours.token), asked)).json();
    const seenByThem = await (await server.post(bearer(theirs.token), asked)).json();

    expect(seenByUs.data).toEqual({ projects: { totalCount: 1 }, project: { name: 'plans' } });
    expect(seenByThem.data).toEqual({ projects: { totalCount: 0 }, project: null });
  });

  test('without a scope is forbidden what needs it, by name', async () => {
    const { token } = await server.newKey(READER);

    const answer = await server.post(bearer(token), CREATE_PROJECT, { name: 'notes' });

    expect(await answer.json()).toMatchObject({
      data: { createProject: { __typename: 'Forbidden' } },
    });
  });
});

const find = (id: string) => server.keys.find(id);

describe('the door stands before everything', () => {
  test.each([
    ['POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['GET', '/mcp', null],
    ['GET', '/graphql?query={viewer{name}}', null],
    ['POST', '/metrics', '{}'],
    ['GET', '/metrics', null],
    ['GET', '/anything', null],
    ['DELETE', '/graphql', null],
  ])('%s %s without a token is a 401', async (method, path, body) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="causeway"');
  });

  test.each(['/health/live', '/health/ready'])(
    'but %s answers who watches the process',
    async (path) => {
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    },
  );

  test('and GraphiQL opens, so that a token can be put into it', async () => {
    const response = await fetch(`${server.url}/graphql`, { headers: { accept: 'text/html' } });

    expect(response.headers.get('content-type')).toContain('text/html');
  });

  test('lets a key through to MCP, with what it may see', async () => {
    const { token } = await server.newKey(READER);

    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: bearer(token),
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('memory_search');
  });
});

describe('a subscription', () => {
  test.each([
    ['is revoked', (id: string) => server.keys.revoke(id, Date.now())],
    [
      'expires',
      async () => {
        late = 2 * DAY;
      },
    ],
  ])('that was told of a change ends soon after its key %s', async (_what, end) => {
    const { token, key } = await server.newKey({ ...EVERYTHING, tenant: 'watchers' });
    await server.post(bearer(token), CREATE_PROJECT, { name: 'log' });
    const stream = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: bearer(token),
      },
      body: JSON.stringify({ query: 'subscription { pageChanged(project: "log") { change } }' }),
      signal: AbortSignal.timeout(30_000),
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let said = '';
    const readUntil = async (text: string): Promise<void> => {
      for (let piece = await reader?.read(); piece?.value !== undefined; ) {
        said += piece.value;
        if (said.includes(text)) return;
        piece = await reader?.read();
      }
    };
    // It begins with what comes from now on: one of these comes after.
    for (let body = 0; !said.includes('"change":"WRITTEN"') && body < 20; body++) {
      await server.post(bearer(token), WRITE_PAGE, { body: `${key.id} ${body}` });
      await Promise.race([readUntil('"change":"WRITTEN"'), delay(200)]);
    }
    expect(said).toContain('"change":"WRITTEN"');

    await end(key.id);
    await readUntil('never said, so this reads to the end');
    late = 0;

    expect(said).toContain('"code":"UNAUTHENTICATED"');
  });
});

describe('a JWT', () => {
  const issuer = 'https://issuer.example';
  const audience = 'causeway';
  const claims = {
    tenant: 'acme',
    scope: 'openid memory:read memory:write',
    projects: ['notes', 'ops'],
    clearance: 'CONFIDENTIAL',
  };
  const secret = 'the secret of an issuer, of 39 letters.';

  let issuing: Server;
  let isAway = false;
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;
  let bySet: GuardedServer;
  let bySecret: GuardedServer;

  beforeAll(async () => {
    pair = await generateKeyPair('RS256', { extractable: true });
    const stranger = await generateKeyPair('ES256');
    const keys = [
      { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
      { ...(await exportJWK(stranger.publicKey)), kid: 'two', alg: 'ES256', use: 'sig' },
    ];
    issuing = createServer((_request, response) => {
      response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' });
      response.end(isAway ? '{}' : JSON.stringify({ keys }));
    });
    issuing.listen(0, '127.0.0.1');
    await once(issuing, 'listening');
    const address = issuing.address();
    if (address === null || typeof address === 'string') throw new Error('Not listening.');
    const url = `http://127.0.0.1:${address.port}/keys`;
    bySet = await openGuardedServer(database, { jwt: { keys: { url }, issuer, audience } });
    bySecret = await openGuardedServer(database, { jwt: { keys: { secret }, issuer, audience } });
  });
  afterAll(async () => {
    await bySet.close();
    await bySecret.close();
    issuing.close();
    issuing.closeAllConnections();
  });

  type Header = { readonly alg: string; readonly kid?: string };
  const signed = (
    key: Parameters<SignJWT['sign']>[0],
    payload: { readonly [claim: string]: unknown } = {},
    header: Header = { alg: 'RS256', kid: 'one' },
  ) => {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({
      iss: issuer,
      aud: audience,
      sub: 'ada',
      exp: now + 600,
      ...claims,
      ...payload,
    })
      .setProtectedHeader(header)
      .sign(key);
  };
  const textKey = (text: string) => new TextEncoder().encode(text);
  const now = () => Math.floor(Date.now() / 1_000);

  test('of the key set lets in whom it names, with the scopes that are known here', async () => {
    const response = await bySet.post(bearer(await signed(pair.privateKey)), VIEWER);

    expect(await response.json()).toEqual({
      data: {
        viewer: {
          name: 'ada',
          tenant: 'acme',
          scopes: ['memory:read', 'memory:write'],
          projects: ['notes', 'ops'],
          clearance: 'CONFIDENTIAL',
        },
      },
    });
  });

  test('of the secret lets in too, and what it does not say it does not give', async () => {
    const token = await signed(
      textKey(secret),
      { scope: undefined, projects: undefined, clearance: undefined },
      { alg: 'HS256' },
    );

    const { data } = await (await bySecret.post(bearer(token), VIEWER)).json();

    expect(data.viewer).toMatchObject({ scopes: [], projects: [], clearance: 'PUBLIC' });
  });

  test('may name all projects, and scopes as a list', async () => {
    const token = await signed(pair.privateKey, { projects: '*', scope: ['memory:admin'] });

    const { data } = await (await bySet.post(bearer(token), VIEWER)).json();

    expect(data.viewer).toMatchObject({ scopes: ['memory:admin'], projects: null });
  });

  test.each<[string, () => Promise<string>]>([
    [
      'is signed by nobody (alg none)',
      async () =>
        new UnsecuredJWT({
          ...claims,
          iss: issuer,
          aud: audience,
          sub: 'ada',
          exp: now() + 600,
        }).encode(),
    ],
    ['is signed by another key', async () => signed((await generateKeyPair('RS256')).privateKey)],
    [
      'takes the public key for a secret',
      async () =>
        signed(textKey(await exportSPKI(pair.publicKey)), {}, { alg: 'HS256', kid: 'one' }),
    ],
    [
      'takes the public key for a secret, by no name',
      async () => signed(textKey(await exportSPKI(pair.publicKey)), {}, { alg: 'HS256' }),
    ],
    [
      'is of a key that is not in the set',
      async () => signed(pair.privateKey, {}, { alg: 'RS256', kid: 'three' }),
    ],
    ['is for another audience', async () => signed(pair.privateKey, { aud: 'elsewhere' })],
    ['has no audience', async () => signed(pair.privateKey, { aud: undefined })],
    ['is of another issuer', async () => signed(pair.privateKey, { iss: 'https://evil.example' })],
    ['has expired', async () => signed(pair.privateKey, { exp: now() - 120 })],
    ['never expires', async () => signed(pair.privateKey, { exp: undefined })],
    ['begins in the future', async () => signed(pair.privateKey, { nbf: now() + 120 })],
    ['names no tenant', async () => signed(pair.privateKey, { tenant: undefined })],
    ['names an empty tenant', async () => signed(pair.privateKey, { tenant: '' })],
    ['names a tenant with NUL', async () => signed(pair.privateKey, { tenant: 'a\0b' })],
    ['names a tenant that is no text', async () => signed(pair.privateKey, { tenant: ['acme'] })],
    ['names nobody', async () => signed(pair.privateKey, { sub: undefined })],
    ['has a clearance that is none', async () => signed(pair.privateKey, { clearance: 'TOP' })],
    [
      'was changed after it was signed',
      async () => {
        const [header, , signature] = (await signed(pair.privateKey)).split('.');
        const payload = Buffer.from(
          JSON.stringify({
            ...claims,
            tenant: 'other',
            iss: issuer,
            aud: audience,
            sub: 'ada',
            exp: now() + 600,
          }),
        ).toString('base64url');
        return [header, payload, signature].join('.');
      },
    ],
  ])('is refused, with the one answer, when it %s', async (_what, make) => {
    expect(await outside(await bySet.post(bearer(await make()), VIEWER))).toEqual(REFUSED);
  });

  test('of the secret is refused with any other algorithm', async () => {
    const long = 's'.repeat(64);
    const token = await signed(textKey(long), {}, { alg: 'HS512' });
    const rules: JwtRules = { keys: { secret: long }, issuer, audience };
    const strict = await openGuardedServer(database, { jwt: rules });

    const refused = await outside(await strict.post(bearer(token), VIEWER));
    await strict.close();

    expect(refused).toEqual(REFUSED);
  });

  test.each([
    ['has just expired', { exp: -10 }],
    ['is about to begin', { nbf: 10 }],
  ])('is taken when it %s, since clocks differ', async (_what, times: Record<string, number>) => {
    const shifted = Object.entries(times).map(([claim, seconds]) => [claim, now() + seconds]);
    const token = await signed(pair.privateKey, Object.fromEntries(shifted));

    expect((await bySet.post(bearer(token), VIEWER)).status).toBe(200);
  });

  test('can not be judged while the key set is away: 503, and not the token is blamed', async () => {
    isAway = true;
    const fresh = await openGuardedServer(database, {
      jwt: { keys: { url: keySetUrl() }, issuer, audience },
    });

    const response = await fresh.post(bearer(await signed(pair.privateKey)), VIEWER);
    isAway = false;
    const { errors } = await response.json();
    await fresh.close();

    expect(response.status).toBe(503);
    expect(errors[0].extensions).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    expect(fresh.reported).toHaveLength(1);
  });

  function keySetUrl(): string {
    const address = issuing.address();
    if (address === null || typeof address === 'string') throw new Error('Not listening.');
    return `http://127.0.0.1:${address.port}/keys`;
  }
});
