// The hooks of a test runner: before all tests of a file, after each, after all.

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

function requiredHooks(hooks: Partial<TestHooks>): RequiredHooks | undefined {
  const beforeAll = hooks.beforeAll ?? hooks.before;
  const afterAll = hooks.afterAll ?? hooks.after;
  const { afterEach } = hooks;
  return isHook(beforeAll) && isHook(afterEach) && isHook(afterAll)
    ? { beforeAll, afterEach, afterAll }
    : undefined;
}

/**
 * Returns the given hooks, or the global ones (jest, vitest with `globals`), or those of node:test
 * under `node --test`.
 */
export function findHooks(hooks: TestHooks | undefined): RequiredHooks {
  const required =
    requiredHooks(hooks ?? (globalThis as Partial<TestHooks>)) ??
    (process.env.NODE_TEST_CONTEXT === undefined
      ? undefined
      : requiredHooks(process.getBuiltinModule("node:test")));
  if (required) return required;
  throw new TypeError(
    'setupExplorer found no test runner: pass its hooks, as in `import * as hooks from "vitest"; setupExplorer(mock, { hooks })`',
  );
}
