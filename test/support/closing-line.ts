import type { Reporter, TestModule } from 'vitest/node';

/**
 * Closes a run with `N passed, N failed` alone on a line. A file that could not be loaded and an
 * error outside of any test count as failed. Tests that were left out are named, and where suites run
 * on two profiles, each has its count.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    let failed = errors.length;
    const skipped: string[] = [];
    const passedOn = new Map<string, number>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') {
          passed += 1;
          passedOn.set(module.project.name, (passedOn.get(module.project.name) ?? 0) + 1);
        }
        if (state === 'failed') failed += 1;
        if (state === 'skipped') skipped.push(test.fullName);
      }
    }
    for (const name of skipped) process.stdout.write(`left out: ${name}\n`);
    for (const [name, count] of passedOn) process.stdout.write(`on ${name}: ${count} passed\n`);
    const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    process.stdout.write(`\n${passed} passed, ${failed} failed${rest}\n`);
  }
}
