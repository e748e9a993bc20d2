// Where a test runner lets others in: before all tests of a file, after each, after all.

export type Hook = (run: () => unknown) => unknown;

/** The hooks of vitest and jest (`beforeAll`, `afterAll`), or of node:test (`before`, `after`). */
export interface Hooks {
  readonly beforeAll?: Hook | undefined;
  readonly before?: Hook | undefined;
  readonly afterEach: Hook;
  readonly afterAll?: Hook | undefined;
  readonly after?: Hook | undefined;
}

export interface Lifecycle {
  readonly beforeAll: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
}

const isHook = (value: unknown): value is Hook => typeof value === "function";

function lifecycleOf(hooks: Partial<Hooks>): Lifecycle | undefined {
  const beforeAll = hooks.beforeAll ?? hooks.before;
  const afterAll = hooks.afterAll ?? hooks.after;
  const { afterEach } = hooks;
  return isHook(beforeAll) && isHook(afterEach) && isHook(afterAll)
    ? { beforeAll, afterEach, afterAll }
    : undefined;
}

/** The hooks given; else those that are global (jest, vitest with `globals`); else node:test's, where it runs the file. */
export function findLifecycle(given: Hooks | undefined): Lifecycle {
  const found =
    lifecycleOf(given ?? (globalThis as Partial<Hooks>)) ??
    (process.env.NODE_TEST_CONTEXT === undefined
      ? undefined
      : lifecycleOf(process.getBuiltinModule("node:test")));
  if (found) return found;
  throw new TypeError(
    'setupExplorer found no test runner to hook into: pass its hooks, as in `import * as hooks from "vitest"; setupExplorer(mock, { hooks })`',
  );
}
