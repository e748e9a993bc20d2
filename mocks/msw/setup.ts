// The explorer for the tests of a file in Node: MSW's interception, started, reset and stopped by the test runner.
import { AsyncLocalStorage } from "node:async_hooks";
import type { UnhandledFrameHandle } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import type { Explorer } from "../explorer.ts";
import { checkOverrides } from "./conformance-of-overrides.ts";
import { createHandlers } from "./handlers.ts";
import { findLifecycle, type TestHooks } from "./lifecycle.ts";
import { refuseOutside } from "./unhandled.ts";

/** How an explorer is put behind the HTTP of this process. */
export interface SetupOptions {
  /**
   * The test runner's hooks: `import * as hooks from "vitest"` (or "node:test"). Found without being given where they
   * are global (jest, vitest with `globals`) and under `node --test`.
   */
  readonly hooks?: TestHooks | undefined;
  /** What becomes of requests that nobody answers. Left out: those that would leave this machine fail. */
  readonly onUnhandledFrame?: UnhandledFrameHandle | undefined;
}

/** An explorer behind the `fetch` (and every other HTTP client) of this process. */
export interface InterceptedExplorer {
  readonly explorer: Explorer;
  /** MSW's server, for `server.use` and its events. */
  readonly server: SetupServer;
  /**
   * A test with an explorer of its own, chain, faults and journal: others may run at the same time.
   *
   * @example
   * ```ts
   * import * as hooks from "vitest";
   * import { test } from "vitest";
   *
   * const { isolated } = setupExplorer(mock, { hooks });
   * test.concurrent(
   *   "sees its own chain",
   *   isolated(async (mine) => {
   *     mine.chain.rewind(1);
   *   }),
   * );
   * ```
   */
  isolated<Args extends unknown[]>(
    run: (mine: Explorer, ...args: Args) => unknown,
  ): (...args: Args) => Promise<void>;
}

/** Throws the answers that broke the contract, so that the test fails that heard them. */
function throwViolations({ conformance, violations }: Explorer): void {
  const [first, ...more] = violations.splice(0);
  if (conformance !== "throw" || first === undefined) return;
  throw more.length ? new AggregateError([first, ...more], first.message) : first;
}

/**
 * Puts an explorer behind the HTTP of this process for the tests of a file: starts before them, and after each takes
 * overrides back and resets the explorer. It throws where no hooks are given or found.
 *
 * @example
 * ```ts
 * import * as hooks from "vitest";
 *
 * const mock = createExplorer({ baseUrl: "https://explorer.example", chain });
 * const { server } = setupExplorer(mock, { hooks });
 * ```
 */
export function setupExplorer(explorer: Explorer, options: SetupOptions = {}): InterceptedExplorer {
  const { beforeAll, afterEach, afterAll } = findLifecycle(options.hooks);
  const { onUnhandledFrame = refuseOutside } = options;
  const server = setupServer(...createHandlers(explorer));
  /** The explorer of the isolated test that runs. */
  const current = new AsyncLocalStorage<Explorer>();
  const checks = checkOverrides(server, () => current.getStore() ?? explorer);
  beforeAll(() => server.listen({ onUnhandledFrame }));
  afterEach(async () => {
    try {
      await checks.done(explorer);
      throwViolations(explorer);
    } finally {
      server.resetHandlers();
      explorer.reset();
    }
  });
  afterAll(() => server.close());
  return {
    explorer,
    server,
    isolated:
      (run) =>
      async (...args) => {
        const mine = explorer.fork();
        const boundary = server.boundary(async () => {
          server.use(...createHandlers(mine));
          await run(mine, ...args);
        });
        await current.run(mine, boundary);
        await checks.done(mine);
        throwViolations(mine);
      },
  };
}
