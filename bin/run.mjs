// Runs a program of this project on the Node that the lockfile pins, after installing what is
// missing: `node bin/run.mjs PROGRAM [ARGUMENTS]`. Plain JavaScript, since any Node from 20 on may
// start it, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (!isInstalled()) {
  process.stderr.write('Installing what is missing (npm ci) ...\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const install = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    const reason = install.error === undefined ? '' : ` (${install.error.message})`;
    process.stderr.write(
      `npm could not install what Causeway needs${reason}. Install Node with npm, run "npm ci" in ${root}, and try again.\n`,
    );
    process.exit(install.status ?? 1);
  }
}

const [program, ...args] = process.argv.slice(2);
const child = spawn(pickNode(), [join(root, program), ...args], { stdio: 'inherit' });
// A terminal sends Ctrl-C to us and to the child alike, and many programs take a second one for
// "at once". What is sent to us alone goes on to the child.
const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// 128 and the signal's number is what a shell says of a program that a signal ended.
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

/** Whether node_modules is what the lockfile says: npm leaves a copy of the lockfile inside. */
function isInstalled() {
  const hidden = join(modules, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const { packages: installed } = JSON.parse(readFileSync(hidden, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === '' || optional || devOptional || peer || installed[path]?.version === version,
  );
}

/** The pinned Node where it runs here; else the one that runs this file, when it is new enough. */
function pickNode() {
  const works = existsSync(pinnedNode) && spawnSync(pinnedNode, ['--version']).status === 0;
  if (works) return pinnedNode;
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return process.execPath;
  process.stderr.write(
    `Causeway needs Node 24, but this is ${process.versions.node} and the npm package "node" did not install. Install Node 24 and try again.\n`,
  );
  return process.exit(1);
}
