import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const RUN = fileURLToPath(new URL('../../bin/run.mjs', import.meta.url));
const LOCKFILE = JSON.stringify({ packages: {} });

/** Says who started it, and after the first SIGINT waits a moment and says how many came. */
const COUNTER = `
let count = 0;
process.on('SIGINT', () => {
  count += 1;
  if (count === 1) setTimeout(() => { console.log('counted ' + count); process.exit(7); }, 1_000);
});
setInterval(() => {}, 1_000);
console.log('started by ' + process.ppid + '.');
`;

/** Two children and a signal or two, on a busy machine. */
const SLOW_MS = 30_000;

let root: string;
const running: ChildProcess[] = [];

/** A project of one program in which everything is installed, so that no run here installs anything. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-run-'));
  await mkdir(join(root, 'bin'));
  await mkdir(join(root, 'node_modules'));
  await copyFile(RUN, join(root, 'bin/run.mjs'));
  await writeFile(join(root, 'package-lock.json'), LOCKFILE);
  await writeFile(join(root, 'node_modules/.package-lock.json'), LOCKFILE);
  await writeFile(join(root, 'counter.mjs'), COUNTER);
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: process.env.PATH },
  });
  running.push(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(text);
      if (found !== null) return found;
      await once(child.stdout, 'data');
    }
  };
  return { child, says, ended: once(child, 'exit'), said: () => text };
}

test(
  'hands a signal that it alone got to the program, and ends as the program does',
  async () => {
    const { child, says, ended, said } = start(process.execPath, ['bin/run.mjs', 'counter.mjs']);
    await says(/started/u);

    child.kill('SIGINT');

    expect(await ended).toEqual([7, null]);
    expect(said()).toContain('counted 1');
  },
  SLOW_MS,
);

test(
  'ends with 128 and the number of the signal that ended the program',
  async () => {
    const { child, says, ended } = start(process.execPath, ['bin/run.mjs', 'counter.mjs']);
    await says(/started/u);

    child.kill('SIGTERM');

    expect(await ended).toEqual([128 + 15, null]);
  },
  SLOW_MS,
);

// A terminal comes from `script` of util-linux, whose options other systems do not know.
const makesTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

test.skipIf(!makesTerminals)(
  'does not repeat the Ctrl-C of a terminal, which the program got already',
  async () => {
    const command = `${process.execPath} bin/run.mjs counter.mjs`;
    const { child, says, said } = start('script', ['-qec', command, '/dev/null']);
    const [, run = ''] = await says(/started by (\d+)\./u);

    // The two that a terminal sends at once may count as one; sent apart, a repeated one shows.
    process.kill(Number(run), 'SIGINT');
    await setTimeout(300);
    child.stdin.write('\u0003');
    await says(/counted/u);

    expect(said()).toContain('counted 1');
  },
  SLOW_MS,
);

test('says what to do when npm is missing', async () => {
  await rm(join(root, 'node_modules'), { recursive: true });

  const { status, stderr } = spawnSync(process.execPath, ['bin/run.mjs', 'counter.mjs'], {
    cwd: root,
    env: { PATH: join(root, 'bin') },
    encoding: 'utf8',
  });

  expect(status).toBe(1);
  expect(stderr).toMatch(/npm could not install what Causeway needs \(.*ENOENT.*\)/u);
  expect(stderr).toContain(`run "npm ci" in ${root}`);
});
