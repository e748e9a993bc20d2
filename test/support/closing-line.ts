// A reporter that ends a run with the plain line any CI can read: `N passed, N failed, N skipped`.
import type { Reporter, TestModule, TestSuite } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // What fails outside of a test (a file that does not load, a hook) has no test of its own to fail.
      const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
      count.failed += suites.filter((suite) => suite.errors().length > 0).length;
    }
    const { passed, failed, skipped, pending } = count;
    // A test that was never reached, as after an interrupt, did not run either.
    console.log(`\n${passed} passed, ${failed} failed, ${skipped + pending} skipped`);
  }
}
