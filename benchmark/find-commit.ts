import { execFileSync } from 'node:child_process';

/** What is measured: the commit, marked when files differ from it; null outside of a clone. */
export function findCommit(): string | null {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
