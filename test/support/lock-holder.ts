import { lockDataFolder } from '../../src/postgres/embedded/lock.ts';

// A process that tries to lock the data folder of its argument, says how that went, and stays until
// its standard input ends.

try {
  lockDataFolder(process.argv[2] ?? '');
  process.stdout.write('locked\n');
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
}
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
