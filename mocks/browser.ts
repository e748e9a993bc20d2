// The mock explorer in a page, behind MSW's service worker.
export * from "./index.ts";
export { createHandlers, createOperationHandlers, type Handlers } from "./msw/handlers.ts";
export {
  type ExplorerWorker,
  setupExplorerWorker,
  type WorkerOptions,
} from "./msw/worker.ts";
