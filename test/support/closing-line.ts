// A reporter that ends a run with the plain line any CI can read, `N passed, N failed, N skipped`, and writes down what is proven.
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule, TestSuite } from "vitest/node";
import { provenBy } from "./test-files.ts";

export default class ClosingLine implements Reporter {
  readonly #proof: string | undefined;

  /** `proof`: the file for the paths of the tests that passed whole. */
  constructor({ proof }: { readonly proof?: string } = {}) {
    this.#proof = proof;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // What fails outside of a test (a file that does not load, a hook) has no test of its own to fail.
      const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
      count.failed += suites.filter((suite) => suite.errors().length > 0).length;
    }
    if (this.#proof !== undefined) writeFileSync(this.#proof, JSON.stringify(provenBy(modules)));
    const { passed, failed, skipped, pending } = count;
    // A test that was never reached, as after an interrupt, did not run either.
    console.log(`\n${passed} passed, ${failed} failed, ${skipped + pending} skipped`);
  }
}
