// The explorer as a test double in a page.
export {
  setupExplorerWorker,
  type WorkedExplorer,
  type WorkerOptions,
} from "./doors/worker.ts";
export * from "./index.ts";
