import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePageInput } from '../../src/memory/parse-page-input.ts';
import {
  createRedactor,
  maxRedactedLength,
  parseStoredText,
  SECRET_KINDS,
} from '../../src/memory/redaction.ts';

const redactor = createRedactor();
const { redact, redactNamed } = redactor;

/** Signs without order, the same ones each time. */
const noise = (length: number, signs = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z') =>
  Array.from({ length }, (_, index) => signs[(index * 7 + 3) % signs.length]).join('');
/** Parted here, so that scanners of repositories find no secret in this file. */
const of = (...parts: readonly string[]) => parts.join('');

const PEM = (name: string) => `-----${name} RSA PRIVATE KEY-----`;
const AWS_SECRET = of('wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY');
const JWT = `${of('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0')}.${noise(43)}`;

/** A text around a secret, `§`, and the secrets that must be gone from it. */
const SECRETS = [
  ['github_token', 'push with § now', of('ghp', '_', noise(36))],
  ['github_token', 'https://x:§@github.com/a', of('gho', '_', noise(36))],
  ['github_token', 'https://§@github.com/a', of('ghp', '_', noise(36))],
  ['github_token', '§', of('github', '_pat_', noise(22), '_', noise(59))],
  ['gitlab_token', 'GL: §.', of('glpat', '-', noise(20))],
  ['aws_key', 'id §,', of('AKIA', 'IOSFODNN7EXAMPLE')],
  ['aws_secret', 'AWS_SECRET_ACCESS_KEY=§', AWS_SECRET],
  ['aws_secret', '{"SecretAccessKey": "§"}', AWS_SECRET],
  ['gcp_key', 'key=§&x', of('AIza', noise(35))],
  ['azure_key', 'AccountName=a;AccountKey=§;Suffix=b', `${noise(86)}==`],
  ['azure_key', 'https://a/b?sv=1&sig=§', `${noise(43)}%3D`],
  ['slack_token', 'bot §', of('xoxb', '-123456789012-', noise(24))],
  ['slack_token', 'https://hooks.slack.com/services/§', `T00000000/B00000000/${noise(24)}`],
  ['stripe_key', 'pay §', of('sk', '_live_', noise(24))],
  ['openai_key', 'export K=§', of('sk', '-proj-', noise(40))],
  ['openai_key', '§', of('sk', '-', noise(48))],
  ['anthropic_key', '"§"', of('sk', '-ant-api03-', noise(40))],
  ['npm_token', '§', of('npm', '_', noise(36))],
  ['npm_token', '//registry/:_authToken=§', '550e8400-e29b-41d4-a716-446655440000'],
  ['pypi_token', 'upload with §', of('pypi', '-AgEIcHlwaS5vcmc', noise(40))],
  ['jwt', 'cookie=§;', JWT],
  ['private_key', 'a\n§\nb', `${PEM('BEGIN')}\n${noise(64)}\n${noise(9)}\n${PEM('END')}`],
  ['private_key', '{"k":"§\\n"}', `${PEM('BEGIN')}\\n${noise(64)}`],
  ['connection_string', 'postgres://u:§@host/db', 'pw'],
  ['connection_string', 'redis://:§@host:6379/0', 'p@ss'],
  ['connection_string', 'mysql://u:§@host/db', 'a/b#c'],
  ['connection_string', 'mysql://u:§@host/db?mail=a@b', 'a/b@c'],
  ['bearer_token', 'Authorization: Bearer §', noise(30)],
  ['bearer_token', "-H 'authorization: basic §'", 'dXNlcjpwYXNzd29yZDE='],
  ['password_assignment', '{"db_password":"§"}', 'hunter2hunter2'],
  ['password_assignment', '{\\"db_password\\":\\"§\\"}', 'hunter2hunter2'],
  ['password_assignment', '{"password":"§","user":"x"}', 'two\\"parts'],
  ['password_assignment', 'export DB_PASSWORD=§ # local', 'correcthorse'],
  ['password_assignment', 'db:\n  password: §\n  port: 5432', 'correcthorse'],
  ['password_assignment', 'use password: § for staging', 'hunter2'],
  ['password_assignment', '**Password:** `§`', 'hunter2'],
  ['password_assignment', '<password>§</password>', 'hunter2'],
  ['password_assignment', 'mysql --password § --user x', 'hunter2'],
  ['password_assignment', "alter user x with password '§'", 'hunter2'],
  ['password_assignment', 'Server=db;Password=§;User Id=x', 'hunter2'],
  ['password_assignment', 'https://x/y?token=§&page=1', 'abc123def456'],
  ['password_assignment', 'client_secret = "§"', noise(24)],
  ['password_assignment', 'passphrase: "§"', 'correct horse battery staple'],
  // One word begins before the end of another that is none.
  ['password_assignment', 'passphrasecret="§"', 'a1b2c3d4e5f6'],
] as const;

test('has a secret of every kind below', () => {
  expect(new Set(SECRETS.map(([kind]) => kind))).toEqual(new Set(SECRET_KINDS));
});

test.each(SECRETS)(
  'replaces a secret alone, and says that it was a %s: %s',
  (kind, text, secret) => {
    expect(redact(text.replace('§', () => secret))).toBe(text.replace('§', `[REDACTED:${kind}]`));
  },
);

test.each([
  ['redis://:#@@', 'redis://:[REDACTED:connection_string]@'],
  ['redis://:#@b@', 'redis://:[REDACTED:connection_string]@'],
  [
    of('AKIA', 'IOSFODNN7EXAMPLE', 'xoxb', '-9aBU5mS83j'),
    '[REDACTED:aws_key][REDACTED:slack_token]',
  ],
  [of('://', 'AKIA', 'IOSFODNN7EXAMPLE', '@'), '://[REDACTED:aws_key]@'],
  ['passwd:`passwd:horse@', 'passwd:`passwd:[REDACTED:password_assignment]'],
])('finds all that is secret in %j at once, and nothing in what is left', (text, redacted) => {
  const once = redact(text);

  expect([once, redact(once)]).toEqual([redacted, redacted]);
});

const LOOK_ALIKES = [
  'task-management-system-overview',
  'risk-assessment-framework-v2',
  'sk-learn-model-training-2024-pipeline-v2',
  'sort_key = created_at',
  'foreign_key: user_id',
  'http://localhost:8080/search?mail=a@b.com',
  'http://a:8080,bob@example.com',
  'ssh://git@github.com:owner/repository',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '550e8400-e29b-41d4-a716-446655440000',
  `![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${noise(500, `${'abcXYZ0189+/'}QRS`)}==)`,
  'Tokens: what they are, and how a token is spent',
  'The token: OAuth2-based, rotated by hand.',
  'The password: it must be at least 8 characters long.',
  '{"password": "must be at least 8 characters long"}',
  '{"password": {"type": "string"}, "token": null}',
  'max_tokens=4096, token_count: 512',
  'password: string; token: ID!',
  'const token = getToken(); if (password === other) {}',
  'connect(password=password, user=user)',
  'connect(password=word, host=host)',
  of('password: $', '{{ secrets.PASSWORD }}'),
  'PASSWORD=$DB_PASSWORD',
  of('postgres://user:$', '{PASSWORD}@host/db and postgres://user:<password>@host/db'),
  'password = os.environ["PASSWORD"]',
  '"token": "/oauth/token"',
  'secretName: tls-certificate, secret: my-app-secret',
  'PWD=/home/me',
  'compass: north9',
  'Bearer authentication; bearer token-based-authentication',
  'Keys begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----.',
  'AKIA is how ids of keys begin, ghp_ is how tokens do',
];

test.each(LOOK_ALIKES)('leaves what only looks like a secret: %s', (text) => {
  expect(redact(text)).toBe(text);
});

const piece = fc.oneof(
  fc.constantFrom(...SECRETS.map(([, text, secret]) => text.replace('§', () => secret))),
  fc.constantFrom(
    ...SECRETS.map(([, text, secret]) => text.replace('§', () => secret).slice(0, 14)),
  ),
  fc.constantFrom(...SECRETS.map(([kind]) => `[REDACTED:${kind}]`)),
  fc.constantFrom(
    'password',
    '="',
    ': ',
    '=',
    '://',
    ':',
    '@',
    '\\"',
    "'",
    '`',
    '\n',
    ' ',
    ',',
    '}',
    'redis://',
    '#',
    '@',
  ),
  fc.constantFrom(
    'token',
    'secret_key',
    'Bearer ',
    '[',
    ']',
    '-',
    '_',
    '.',
    '/',
    ';',
    '&',
    '<',
    '>',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

test('does nothing more the second time', () => {
  fc.assert(
    fc.property(pieces, (text) => {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }),
    { numRuns: 5_000 },
  );
});

test('makes no text longer than it says, and keeps it well formed', () => {
  fc.assert(
    fc.property(pieces, (text) => {
      const redacted = redact(text);
      expect(redacted.length).toBeLessThanOrEqual(maxRedactedLength(text.length));
      expect(redacted.isWellFormed()).toBe(text.isWellFormed());
    }),
    { numRuns: 1_000 },
  );
});

test('leaves texts without any name, prefix or separator of a secret as they are', () => {
  const word = fc.string({ unit: fc.constantFrom(...'bdghilmnoq é漢'), maxLength: 30 });
  fc.assert(
    fc.property(word, (text) => {
      expect(redact(text)).toBe(text);
    }),
  );
});

test('finds a secret wherever it stands', () => {
  const prose = fc.lorem({ maxCount: 40, mode: 'words' });
  fc.assert(
    fc.property(fc.constantFrom(...SECRETS), prose, prose, ([, text, secret], before, after) => {
      const whole = text.replace('§', () => secret);
      expect(redact(`${before}\n${whole}\n${after}`)).toBe(`${before}\n${redact(whole)}\n${after}`);
    }),
  );
});

test.each([
  'ghp_',
  'sk-ant-',
  'eyJaaaaaaaa.',
  '-----BEGIN PRIVATE KEY-----\n++++++++++++++++++++',
  '://a:',
  'redis://a:x/',
  'password:',
  `password:'a password:"b `,
  'password=$a,,,,,',
  'token:aa-',
  'password:\\"a ',
  '<password>',
  'password="\\\\\\\\',
  'password=hunter2 ',
  'password                ',
  'token ',
  'password=a,b,c,',
  'password=aaaa;Server=',
  'password: hunter22, ',
  'passphrasecre',
  `password="${'a'.repeat(60)}`,
  `${'a-'.repeat(40)}password=`,
])('ends on a megabyte of %j', (hostile) => {
  const text = hostile.repeat(Math.ceil((1024 * 1024) / hostile.length));

  expect(redact(text).length).toBeLessThanOrEqual(maxRedactedLength(text.length));
});

test('takes the name of an attribute into account', () => {
  const mark = '[REDACTED:password_assignment]';

  expect(redactNamed('db_password', 'hunter2hunter2')).toBe(mark);
  expect(redactNamed('note', 'postgres://u:pw@host/db')).toBe(
    'postgres://u:[REDACTED:connection_string]@host/db',
  );
  expect(redactNamed('sort_key', 'created_at')).toBe('created_at');
  expect(redactNamed('password_policy', 'hunter2hunter2')).toBe('hunter2hunter2');
});

test('holds a text to its limit as it came and as it is stored', () => {
  const rule = { field: 'title', maxCharacters: 40, redactor };

  expect(parseStoredText(of('ghp', '_', noise(36)), rule)).toBe('[REDACTED:github_token]');
  expect(() => parseStoredText(of('ghp', '_', noise(37)), rule)).toThrow('at most 40 characters');
  expect(() => parseStoredText('the database a://u:p@host', rule)).toThrow('at most 40 characters');
});

test('redacts every text of a page but its path', () => {
  const secret = of('ghp', '_', noise(36));
  const mark = '[REDACTED:github_token]';
  const rules = { field: '', clearance: 3, hintsEnabled: () => true, redactor };

  const page = parsePageInput(
    {
      projectId: 'p',
      path: 'a',
      title: `T ${secret}`,
      body: `[[b]] ${secret}`,
      tags: [secret, `${secret}1`, 'x'],
      hints: [`why ${secret}`],
      attributes: { deep: [{ [secret]: secret, db_password: 'hunter2hunter2', n: 1 }] },
    },
    rules,
  );

  expect(page).toMatchObject({
    title: `T ${mark}`,
    body: `[[b]] ${mark}`,
    tags: [mark, 'x'],
    hints: [`why ${mark}`],
    attributes: {
      deep: [{ [mark]: mark, db_password: '[REDACTED:password_assignment]', n: 1 }],
    },
  });
});

test('refuses attributes whose names would become one', () => {
  const attributes = { [of('ghp', '_', noise(36))]: 1, [of('ghp', '_', noise(37))]: 2 };
  const rules = { field: '', clearance: 3, hintsEnabled: () => true, redactor };

  expect(() =>
    parsePageInput({ projectId: 'p', path: 'a', title: 'A', attributes }, rules),
  ).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field: 'attributes' }));
});
