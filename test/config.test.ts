import { describe, expect, test } from 'vitest';
import { ConfigError, hintsEnabled, readConfig } from '../src/config.ts';

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};

test('needs nothing: every variable has a default', () => {
  expect(readConfig({ PATH: '/bin' })).toMatchObject({
    dataFolder: '.causeway',
    host: '127.0.0.1',
    port: 4000,
    maxDepth: 4,
  });
});

test('takes what the environment says', () => {
  const environment = {
    CAUSEWAY_DATA: '/data',
    CAUSEWAY_HOST: '::1',
    CAUSEWAY_PORT: '0',
    CAUSEWAY_MAX_DEPTH: '8',
    CAUSEWAY_HINTS_ENABLED: 'true',
  };

  expect(readConfig(environment)).toMatchObject({
    dataFolder: '/data',
    host: '::1',
    port: 0,
    maxDepth: 8,
  });
});

describe('a number', () => {
  test.each(['', ' ', '1e3', '0x10', '-1', '+1', '1.5', '65536', '99999999999999999999', 'many'])(
    'is digits within its bounds, so the port "%s" is refused by name',
    (port) => {
      expect(faultsOf({ CAUSEWAY_PORT: port })).toEqual([
        `CAUSEWAY_PORT: expected a whole number from 0 to 65535, but got "${port}".`,
      ]);
    },
  );

  test.each(['0', '9', ''])('of hops is 1 to 8, so "%s" is refused', (depth) => {
    expect(faultsOf({ CAUSEWAY_MAX_DEPTH: depth })).toEqual([
      `CAUSEWAY_MAX_DEPTH: expected a whole number from 1 to 8, but got "${depth}".`,
    ]);
  });
});

describe('who gets in', () => {
  const secret = 's'.repeat(32);
  const jwt = { CAUSEWAY_JWT_ISSUER: 'https://issuer', CAUSEWAY_JWT_AUDIENCE: 'causeway' };

  test.each(['0.0.0.0', '::', '10.0.0.7', 'memory.internal', '127.0.0.1.example.org'])(
    'is asked beyond the loopback: %s is refused without keys or JWTs, and says what to do',
    (host) => {
      const [fault, ...others] = faultsOf({ CAUSEWAY_HOST: host });

      expect(others).toEqual([]);
      expect(fault).toMatch(
        `CAUSEWAY_HOST: expected 127.0.0.1, localhost or ::1, since nobody signs in here, but got "${host}". Set CAUSEWAY_TOKEN_SECRET and make keys with \`causeway token create\``,
      );
      expect(readConfig({ CAUSEWAY_HOST: host, CAUSEWAY_TOKEN_SECRET: secret }).host).toBe(host);
    },
  );

  test('is nobody in particular when nothing says so', () => {
    expect(readConfig({ CAUSEWAY_TOKEN_SECRET: '' }).access).toEqual({
      tokenSecret: null,
      jwt: null,
    });
  });

  test('takes JWTs of an issuer for an audience, by a key set or a secret', () => {
    const url = 'https://issuer/keys';

    const bySet = readConfig({ ...jwt, CAUSEWAY_JWT_JWKS_URL: url }).access.jwt;
    const bySecret = readConfig({ ...jwt, CAUSEWAY_JWT_SECRET: secret }).access.jwt;

    expect(bySet).toEqual({ keys: { url }, issuer: 'https://issuer', audience: 'causeway' });
    expect(bySecret?.keys).toEqual({ secret });
  });

  test.each([
    [
      'a short secret',
      { CAUSEWAY_TOKEN_SECRET: 'short' },
      /^CAUSEWAY_TOKEN_SECRET: expected at least 32 characters/u,
    ],
    [
      'keys from the open net',
      { ...jwt, CAUSEWAY_JWT_JWKS_URL: 'http://issuer/keys' },
      /^CAUSEWAY_JWT_JWKS_URL: expected https:\/\//u,
    ],
    [
      'no audience',
      { ...jwt, CAUSEWAY_JWT_AUDIENCE: '', CAUSEWAY_JWT_SECRET: secret },
      /^CAUSEWAY_JWT_AUDIENCE: expected a value beside CAUSEWAY_JWT_SECRET/u,
    ],
    [
      'no issuer',
      { ...jwt, CAUSEWAY_JWT_ISSUER: '', CAUSEWAY_JWT_SECRET: secret },
      /^CAUSEWAY_JWT_ISSUER: expected a value/u,
    ],
    ['no keys', jwt, /^CAUSEWAY_JWT_JWKS_URL: expected it, or CAUSEWAY_JWT_SECRET/u],
    [
      'two kinds of keys',
      { ...jwt, CAUSEWAY_JWT_SECRET: secret, CAUSEWAY_JWT_JWKS_URL: 'https://issuer/keys' },
      /^CAUSEWAY_JWT_SECRET: expected none beside/u,
    ],
  ])('refuses %s, and never shows a secret', (_what, environment, fault) => {
    const [first = '', ...others] = faultsOf(environment);

    expect(others).toEqual([]);
    expect(first).toMatch(fault);
    expect(first).not.toMatch(/short|sss/u);
  });
});

test('names every fault at once, and the nearest name of what is unknown', () => {
  const faults = faultsOf({
    CAUSEWAY_PROT: '4000',
    CAUSEWAY_DATA: '',
    CAUSEWAY_HINTS_ENABLED: 'yes',
  });

  expect(faults.sort()).toEqual([
    'CAUSEWAY_DATA: expected the path of a folder, but got "".',
    'CAUSEWAY_HINTS_ENABLED: expected true or false, but got "yes".',
    'CAUSEWAY_PROT: there is no such variable; did you mean CAUSEWAY_PORT?',
  ]);
});

test('leaves variables of the tests alone: none of them has the prefix of a setting', () => {
  expect(faultsOf({ TEST_GRAPH_DATA: '/data/graph' })).toEqual([]);
});

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['', false],
])('reads the gate of hints at each call: %s is %s', (value, expected) => {
  expect(hintsEnabled({ CAUSEWAY_HINTS_ENABLED: value })).toBe(expected);
});

test.each(['bolt', 'bolt+s', 'bolt+ssc', 'neo4j', 'neo4j+s', 'neo4j+ssc'])(
  'takes an address of Neo4j that begins with %s://',
  (scheme) => {
    const uri = `${scheme}://graph.internal:7687`;

    expect(readConfig({ NEO4J_URI: uri }).neo4j).toMatchObject({ uri });
  },
);

test('refuses an address of Neo4j that is none of the driver, and never shows it', () => {
  expect(faultsOf({ NEO4J_URI: 'https://neo4j:secret@graph.internal' })).toEqual([
    'NEO4J_URI: expected bolt://, neo4j://, or either with +s for TLS, +ssc for TLS with any certificate, but got something else.',
  ]);
});

test.each(['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])(
  'takes an address of Postgres with the sslmode %s',
  (mode) => {
    const url = `postgresql://causeway:secret@db.internal/causeway?sslmode=${mode}`;

    expect(readConfig({ DATABASE_URL: url })).toMatchObject({ databaseUrl: url });
  },
);

test.each(['sslmode=on', 'sslmode=verify-full&sslmode=disable'])(
  'refuses %s, which the driver would take for another',
  (query) => {
    expect(faultsOf({ DATABASE_URL: `postgresql://db.internal/causeway?${query}` })).toEqual([
      'DATABASE_URL: expected one sslmode of disable, prefer, require, verify-ca, verify-full, no-verify, but got something else.',
    ]);
  },
);

describe('a language model', () => {
  const url = 'http://127.0.0.1:11434/v1';

  test('is none unless it is set up', () => {
    expect(readConfig({ CAUSEWAY_MODEL_URL: '' }).model).toBeNull();
  });

  test('has an address and a name, and a key where its endpoint asks for one', () => {
    const local = { CAUSEWAY_MODEL_URL: url, CAUSEWAY_MODEL: 'qwen3:8b' };

    expect(readConfig(local).model).toEqual({ url, model: 'qwen3:8b', key: null });
    expect(readConfig({ ...local, CAUSEWAY_MODEL_KEY: 'sk-1' }).model?.key).toBe('sk-1');
  });

  test.each([
    [{ CAUSEWAY_MODEL_URL: url }, ['CAUSEWAY_MODEL: expected a value beside CAUSEWAY_MODEL_URL']],
    [{ CAUSEWAY_MODEL: 'm' }, ['CAUSEWAY_MODEL_URL: expected a value beside CAUSEWAY_MODEL']],
    [
      { CAUSEWAY_MODEL_KEY: 'sk-1', CAUSEWAY_MODEL: '' },
      [
        'CAUSEWAY_MODEL_URL: expected a value beside CAUSEWAY_MODEL_KEY',
        'CAUSEWAY_MODEL: expected a value beside CAUSEWAY_MODEL_KEY',
      ],
    ],
  ])('that is set up in part is refused: %j', (environment, faults) => {
    expect(faultsOf(environment)).toEqual(faults.map((fault) => `${fault}, but got none.`));
  });

  test.each(['127.0.0.1:11434', 'ftp://model', 'http://me:secret@model/v1', 'http://'])(
    'with the address %s is refused, and the address not shown',
    (address) => {
      expect(faultsOf({ CAUSEWAY_MODEL_URL: address, CAUSEWAY_MODEL: 'm' })).toEqual([
        'CAUSEWAY_MODEL_URL: expected http:// or https:// and no user, as http://127.0.0.1:11434/v1, but got something else.',
      ]);
    },
  );

  test('with a key or a name that no header or body may carry is refused, and the key not shown', () => {
    const faults = faultsOf({
      CAUSEWAY_MODEL_URL: url,
      CAUSEWAY_MODEL: 'a\nb',
      CAUSEWAY_MODEL_KEY: 'sk 1\r\nx: y',
    });

    expect(faults.join('\n')).toContain('CAUSEWAY_MODEL: expected the name of a model');
    expect(faults).toContain(
      'CAUSEWAY_MODEL_KEY: expected visible ASCII characters without spaces, but got something else.',
    );
  });
});
