// The explorer in a page, behind MSW's service worker.
import { type SetupWorker, type StartOptions, setupWorker } from "msw/browser";
import { type Explorer, serviceOf } from "../explorer.ts";
import { checkOverrides } from "./conformance-of-overrides.ts";
import { createHandlers } from "./handlers.ts";
import { withDefaults } from "./unhandled.ts";

/**
 * The options of MSW's `worker.start`, with other defaults: requests without a handler are let
 * through ("bypass"), because a page loads other resources, and `quiet` is true, because the
 * journal has the requests, and logging a body that a fault cuts short causes an uncaught error.
 */
export type WorkerOptions = StartOptions;

/** MSW 3 reads `onUnhandledFrame`, MSW 2 `onUnhandledRequest`. */
const workerDefaults = {
  onUnhandledFrame: "bypass",
  onUnhandledRequest: "bypass",
  quiet: true,
} as const;

/** An explorer behind the `fetch` of a page. */
export interface ExplorerWorker {
  readonly explorer: Explorer;
  /** MSW's worker, for `worker.use` and its events. */
  readonly worker: SetupWorker;
  /**
   * Starts the worker. Rejects if the page is outside its scope, and warns if another worker
   * controls the page. Your site must serve the worker's file: run `npx msw init public/`, or use
   * the plugin of `msw/vite`.
   */
  start(options?: WorkerOptions): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Explains why a worker cannot intercept this page's requests; undefined if it can. `quiet` turns
 * off MSW's own warning.
 */
function outsideScope(scope: string): string | undefined {
  const { href } = location;
  if (href.startsWith(scope)) return undefined;
  return `the page ${href} is outside the scope of MSW's service worker, ${scope}: none of its requests would be intercepted. Serve mockServiceWorker.js from the root of your site, or open a page below the scope.`;
}

/**
 * Warns if the page is in the worker's scope, but another worker with a narrower scope controls the
 * page.
 */
function warnIfControlled({ scope, active }: ServiceWorkerRegistration): void {
  const { controller } = navigator.serviceWorker;
  if (controller === null || active === null || controller.scriptURL === active.scriptURL) return;
  console.warn(
    `mrc-explorer: the page ${location.href} belongs to another service worker, ${controller.scriptURL}, so MSW's (scope ${scope}) intercepts none of its requests. Unregister the other, or serve mockServiceWorker.js in its folder.`,
  );
}

/**
 * Intercepts the requests of a page with MSW's service worker.
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
  const service = serviceOf(explorer, "setupExplorerWorker");
  const worker = setupWorker(...createHandlers(explorer));
  checkOverrides(
    worker,
    () => service,
    (violation) => {
      // A page has no test hooks: an uncaught error fails the test or appears in the console.
      if (service.options.conformance === "throw") reportError(violation);
    },
  );
  return {
    explorer,
    worker,
    async start(options = {}) {
      const registration = await worker.start(withDefaults(options, workerDefaults));
      if (!registration) return;
      const outside = outsideScope(registration.scope);
      if (outside === undefined) return warnIfControlled(registration);
      await worker.stop();
      // Otherwise, MSW would use it again at the next start, and reload the page endlessly.
      await registration.unregister();
      throw new Error(outside);
    },
    async stop() {
      await worker.stop();
    },
  };
}
