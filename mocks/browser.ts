// The mock explorer in a page, behind MSW's service worker.

/**
 * The mock explorer in a page, behind MSW's service worker: everything in `mrc-explorer/mocks`,
 * handlers, {@link setupExplorerWorker}, and a verifier in Web Workers.
 *
 * @module mrc-explorer/mocks/browser
 */

export * from "./index.ts";
export { createHandlers } from "./msw/handlers.ts";
export {
  type ExplorerWorker,
  setupExplorerWorker,
  type WorkerOptions,
} from "./msw/worker.ts";
export {
  type BrowserVerifierOptions,
  createVerifier,
} from "./verify/browser-verifier.ts";
