// The mock explorer in a page, behind MSW's service worker.

/**
 * The mock explorer in a page, behind MSW's service worker: everything in `mrc-explorer/mocks`, handlers, {@link setupExplorerWorker}, and a
 * verifier in Web Workers.
 *
 * @module mrc-explorer/mocks/browser
 */

export { createHandlers, createOperationHandlers, type Handlers } from "./double/msw/handlers.ts";
export {
  type ExplorerWorker,
  setupExplorerWorker,
  type WorkerOptions,
} from "./double/msw/worker.ts";
export * from "./index.ts";
export {
  type BrowserVerifierOptions,
  createVerifier,
} from "./workbench/verify/browser-verifier.ts";
