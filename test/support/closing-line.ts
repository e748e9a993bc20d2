// A reporter that ends a run with a plain line for any CI: `N passed, N failed, N skipped`.
import type { Reporter, TestModule, TestSuite } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A failure outside of a test (a file that does not load, a hook) belongs to a suite.
      const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
      count.failed += suites.filter((suite) => suite.errors().length > 0).length;
    }
    const { passed, failed, skipped, pending } = count;
    // A test that an interrupt kept from running is pending, and counts as skipped.
    console.log(`\n${passed} passed, ${failed} failed, ${skipped + pending} skipped`);
  }
}
