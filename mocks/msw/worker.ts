// The explorer in a page: MSW's service worker answers the page's requests from it.
import type { UnhandledFrameHandle } from "msw";
import { type SetupWorker, type StartOptions, setupWorker } from "msw/browser";
import type { Explorer } from "../explorer.ts";
import { checkOverrides } from "./conformance-of-overrides.ts";
import { createHandlers } from "./handlers.ts";

/** How the service worker is started: MSW's options, with other defaults. */
export interface WorkerOptions extends Omit<StartOptions, "onUnhandledFrame" | "quiet"> {
  /** What becomes of requests that nobody answers. @default "bypass", for a page loads many things */
  readonly onUnhandledFrame?: UnhandledFrameHandle | undefined;
  /**
   * Keep MSW from logging every request: the journal has them. What it logs of a body that a fault cuts short is an
   * uncaught error.
   *
   * @default true
   */
  readonly quiet?: boolean | undefined;
}

/** An explorer behind the `fetch` of a page. */
export interface WorkedExplorer {
  readonly explorer: Explorer;
  /** MSW's worker, for `worker.use` and its events. */
  readonly worker: SetupWorker;
  /** Takes requests from now on. The worker's file must be served: `npx msw init public/`, or the plugin of `msw/vite`. */
  start(options?: WorkerOptions): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Puts an explorer behind the `fetch` of the page.
 *
 * @example
 * ```ts
 * import { createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";
 *
 * const { start } = setupExplorerWorker(createExplorer({ baseUrl, chain }));
 * await start();
 * ```
 */
export function setupExplorerWorker(explorer: Explorer): WorkedExplorer {
  explorer.faults.attach("worker");
  const worker = setupWorker(...createHandlers(explorer));
  checkOverrides(
    worker,
    () => explorer,
    (violation) => {
      // No hook of a test runner is here to throw it; as an uncaught error it fails the test, or shows in the console.
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
