import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const SECRET = 'the-secret-of-a-server,-of-36-letters';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-token-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

function run(words: readonly string[], secret = SECRET): Promise<Ended> {
  const env = { PATH: process.env.PATH, CAUSEWAY_DATA: folder, CAUSEWAY_TOKEN_SECRET: secret };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'token', ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

test('a key is made and shown once, listed without itself, and revoked', async () => {
  const create = [
    'create',
    '--name',
    'ci',
    '--project',
    'notes',
    '--scope',
    'memory:write',
    '--json',
  ];
  const made = JSON.parse((await run(create)).stdout);
  const listed = await run(['list', '--json']);
  const revoked = await run(['revoke', made.id]);
  const again = await run(['list']);

  expect(made).toMatchObject({
    token: expect.stringMatching(new RegExp(`^cwk_${made.id}_[\\w-]{43}$`, 'u')),
    tenant: 'local',
    name: 'ci',
    scopes: ['memory:write'],
    projects: ['notes'],
    clearance: 'INTERNAL',
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(JSON.parse(listed.stdout)).toMatchObject({ id: made.id, name: 'ci' });
  expect(listed.stdout).not.toContain(made.token.split('_').at(-1));
  expect(revoked.stdout).toContain('revoked ');
  expect(again.stdout).toMatch(/revoked .*\n1 key\n$/u);
});

test.each([
  [
    'no secret',
    ['create', '--name', 'ci', '--all-projects'],
    '',
    /^CAUSEWAY_TOKEN_SECRET: expected a secret/u,
  ],
  [
    'no word of projects',
    ['create', '--name', 'ci'],
    SECRET,
    /^--project: expected names of projects, or --all-projects, but got neither/u,
  ],
  [
    'an unknown scope',
    ['create', '--name', 'ci', '--all-projects', '--scope', 'root'],
    SECRET,
    /^--scope: expected one of memory:read/u,
  ],
  [
    'an unknown clearance',
    ['create', '--name', 'ci', '--all-projects', '--clearance', 'top'],
    SECRET,
    /^--clearance: expected one of PUBLIC/u,
  ],
  [
    'a key that is not there',
    ['revoke', 'ffffffffffffffff'],
    SECRET,
    /^id: expected the id of a key/u,
  ],
])('%s ends with 1 and says what was expected', async (_what, words, secret, message) => {
  const { code, stdout, stderr } = await run(words, secret);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
});
