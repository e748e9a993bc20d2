// The mock explorer behind MSW in Node: handlers, and the set-up of a test file.
export * from "./index.ts";
export { createHandlers, createOperationHandlers, type Handlers } from "./msw/handlers.ts";
export type { TestHook, TestHooks } from "./msw/lifecycle.ts";
export { type InterceptedExplorer, type SetupOptions, setupExplorer } from "./msw/setup.ts";
