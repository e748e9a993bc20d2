// The explorer in a page, behind MSW's service worker.
import type { UnhandledFrameHandle } from "msw";
import { type SetupWorker, type StartOptions, setupWorker } from "msw/browser";
import type { Explorer } from "../explorer.ts";
import { checkOverrides } from "./conformance-of-overrides.ts";
import { createHandlers } from "./handlers.ts";

/** The options of MSW's worker, with other defaults. */
export interface WorkerOptions extends Omit<StartOptions, "onUnhandledFrame" | "quiet"> {
  /** How to treat requests without a handler. @default "bypass", since a page loads other resources */
  readonly onUnhandledFrame?: UnhandledFrameHandle | undefined;
  /**
   * Disables MSW's log of requests: the journal has them, and logging a body that a fault cuts short is an uncaught error.
   *
   * @default true
   */
  readonly quiet?: boolean | undefined;
}

/** An explorer behind the `fetch` of a page. */
export interface ExplorerWorker {
  readonly explorer: Explorer;
  /** MSW's worker, for `worker.use` and its events. */
  readonly worker: SetupWorker;
  /** Starts the worker. Its file must be served: `npx msw init public/`, or the plugin of `msw/vite`. */
  start(options?: WorkerOptions): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Intercepts the requests of a page.
 *
 * @example
 * ```ts
 * import { createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";
 *
 * const { start } = setupExplorerWorker(createExplorer({ baseUrl, chain }));
 * await start();
 * ```
 */
export function setupExplorerWorker(explorer: Explorer): ExplorerWorker {
  explorer.faults.attach("worker");
  const worker = setupWorker(...createHandlers(explorer));
  checkOverrides(
    worker,
    () => explorer,
    (violation) => {
      // A page has no test hooks: as an uncaught error it fails the test or shows in the console.
      if (explorer.conformance === "throw") reportError(violation);
    },
  );
  return {
    explorer,
    worker,
    async start({ onUnhandledFrame = "bypass", quiet = true, ...options } = {}) {
      await worker.start({ ...options, onUnhandledFrame, quiet });
    },
    async stop() {
      await worker.stop();
    },
  };
}
