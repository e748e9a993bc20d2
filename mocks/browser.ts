// The explorer as a test double in a page, where MSW's service worker asks it.
export * from "./index.ts";
export { createHandlers, createOperationHandlers, type Handlers } from "./msw/handlers.ts";
export {
  setupExplorerWorker,
  type WorkedExplorer,
  type WorkerOptions,
} from "./msw/worker.ts";
