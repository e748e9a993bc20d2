// Where a test runner lets others in: before all tests of a file, after each, after all.

export type TestHook = (run: () => unknown) => unknown;

/** The hooks of vitest and jest (`beforeAll`, `afterAll`), or of node:test (`before`, `after`). */
export interface TestHooks {
  readonly beforeAll?: TestHook | undefined;
  readonly before?: TestHook | undefined;
  readonly afterEach: TestHook;
  readonly afterAll?: TestHook | undefined;
  readonly after?: TestHook | undefined;
}

export interface RequiredHooks {
  readonly beforeAll: TestHook;
  readonly afterEach: TestHook;
  readonly afterAll: TestHook;
}

const isHook = (value: unknown): value is TestHook => typeof value === "function";

function lifecycleOf(hooks: Partial<TestHooks>): RequiredHooks | undefined {
  const beforeAll = hooks.beforeAll ?? hooks.before;
  const afterAll = hooks.afterAll ?? hooks.after;
  const { afterEach } = hooks;
  return isHook(beforeAll) && isHook(afterEach) && isHook(afterAll)
    ? { beforeAll, afterEach, afterAll }
    : undefined;
}

/** The hooks given; else those that are global (jest, vitest with `globals`); else node:test's, where it runs the file. */
export function findLifecycle(given: TestHooks | undefined): RequiredHooks {
  const found =
    lifecycleOf(given ?? (globalThis as Partial<TestHooks>)) ??
    (process.env.NODE_TEST_CONTEXT === undefined
      ? undefined
      : lifecycleOf(process.getBuiltinModule("node:test")));
  if (found) return found;
  throw new TypeError(
    'setupExplorer found no test runner to hook into: pass its hooks, as in `import * as hooks from "vitest"; setupExplorer(mock, { hooks })`',
  );
}
