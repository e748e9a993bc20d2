// The explorer for the tests of a file in Node: MSW intercepts requests, and the test runner's
// hooks start, reset and stop it.
import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import type { RequestHandler } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import * as z from "zod/mini";
import { type Explorer, serviceOf } from "../explorer.ts";
import { validOptions } from "../input/options.ts";
import type { Service } from "../service/service.ts";
import { checkOverrides } from "./conformance-of-overrides.ts";
import { createHandlers } from "./handlers.ts";
import { findHooks, type TestHooks } from "./lifecycle.ts";
import { createProbe } from "./probe.ts";
import { refusedUnhandled, withDefaults } from "./unhandled.ts";

/**
 * The options of {@link setupExplorer}: the test runner's hooks, and the options of MSW's
 * `server.listen`. Its `onUnhandledFrame` (MSW 2: `onUnhandledRequest`) decides what happens to
 * requests without a handler. By default, requests to other machines fail.
 */
export type SetupOptions = NonNullable<Parameters<SetupServer["listen"]>[0]> & {
  /**
   * The test runner's hooks: `import * as hooks from "vitest"` (or "node:test"). By default, the
   * global hooks (jest, vitest with `globals`), or those of node:test under `node --test`.
   */
  readonly hooks?: TestHooks | undefined;
  /** MSW handlers of other APIs. They stay when a test ends, unlike those of `server.use`. */
  readonly handlers?: readonly RequestHandler[] | undefined;
  /**
   * Fails a test that sent a parameter which no operation reads, or a request to an unknown path.
   * @default false
   */
  readonly strict?: boolean | undefined;
};

const A_HOOK = "an object of hooks";
const optionsSchema = z.strictObject({
  hooks: z.optional(z.custom<never>((value) => value === Object(value), A_HOOK)),
  handlers: z.optional(
    z.array(z.custom<never>((value) => value === Object(value), "a handler of MSW")),
  ),
  strict: z.optional(z.boolean()),
  // MSW checks its own options.
  onUnhandledFrame: z.optional(z.unknown()),
  onUnhandledRequest: z.optional(z.unknown()),
  remote: z.optional(z.unknown()),
});

/** An explorer behind the `fetch` (and every other HTTP client) of this process. */
export interface InterceptedExplorer {
  readonly explorer: Explorer;
  /** MSW's server, for `server.use` and its events. */
  readonly server: SetupServer;
  /**
   * Runs a test with its own explorer, chain, faults and journal, so that tests can run
   * concurrently. Needs MSW 2.2 or later.
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

/**
 * Throws violations of the contract and, if `strict`, near misses, so that the test that caused
 * them fails.
 */
function throwProblems({ options, violations, journal }: Service, strict: boolean): void {
  if (strict) journal.expectNoNearMisses();
  const [first, ...more] = violations.splice(0);
  if (options.conformance !== "throw" || first === undefined) return;
  throw more.length ? new AggregateError([first, ...more], first.message) : first;
}

/** MSW 2.0 and 2.1 lack only `server.boundary`. */
const NO_BOUNDARY =
  "isolated needs MSW 2.2 or later, which has server.boundary: update msw, or give each test a `mock.fork()` and its client `fetch: fork.fetch`";

const SHARED_CHAIN =
  "isolated: this chain is shared with other tests. Build on the explorer that the test receives: mine.builder, mine.chain";

/**
 * The server that intercepts requests. A second server would take over, and end the interception
 * when it closes.
 */
let listening: SetupServer | undefined;

/**
 * Intercepts the HTTP requests of this process for the tests of a file. After each test, it removes
 * overrides and resets the explorer. Throws if no hooks are given or found. Fails before the first
 * test if another `setupExplorer` still intercepts requests, or if requests to the base URL do not
 * reach the explorer.
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
  const service = serviceOf(explorer, "setupExplorer");
  validOptions("setupExplorer", optionsSchema, options);
  const { hooks, handlers = [], strict = false, ...listenOptions } = options;
  const { beforeAll, afterEach, afterAll } = findHooks(hooks);
  const probe = createProbe(explorer.baseUrl);
  const server = setupServer(probe.handler, ...handlers, ...createHandlers(explorer));
  /** The service of the current isolated test. */
  const current = new AsyncLocalStorage<Service>();
  const checks = checkOverrides(server, () => current.getStore() ?? service);
  // Created here, so that the stack shows the second call.
  const second = new TypeError(
    "setupExplorer: another call already intercepts the requests of this file. Call it once, and share what it returns; `mock.fork()` and `isolated` give tests explorers of their own, and `handlers` takes the MSW handlers of other APIs",
  );
  const guard = () => {
    if (current.getStore() !== undefined) throw new TypeError(SHARED_CHAIN);
  };
  beforeAll(async () => {
    if (listening !== undefined) throw second;
    listening = server;
    explorer.chain.guard = guard;
    server.listen(withDefaults(listenOptions, refusedUnhandled));
    // MSW patches the objects of node:http and node:https. This call updates named imports, too.
    syncBuiltinESMExports();
    await probe.send();
  });
  afterEach(async () => {
    try {
      await checks.done(service);
      throwProblems(service, strict);
    } finally {
      server.resetHandlers();
      explorer.reset();
    }
  });
  afterAll(() => {
    if (listening !== server) return;
    server.close();
    syncBuiltinESMExports();
    listening = undefined;
    explorer.chain.guard = undefined;
  });
  return {
    explorer,
    server,
    isolated:
      (run) =>
      async (...args) => {
        if (typeof server.boundary !== "function") throw new TypeError(NO_BOUNDARY);
        const mine = explorer.fork();
        const boundary = server.boundary(async () => {
          server.use(...createHandlers(mine));
          await run(mine, ...args);
        });
        const forked = serviceOf(mine);
        await current.run(forked, boundary);
        await checks.done(forked);
        throwProblems(forked, strict);
      },
  };
}
