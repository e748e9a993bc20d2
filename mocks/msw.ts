// The mock explorer behind MSW in Node: handlers, and the setup of a test file.

/**
 * The mock explorer behind MSW in Node: everything in `mrc-explorer/mocks`, handlers, and {@link setupExplorer} for a test file.
 *
 * @module mrc-explorer/mocks/msw
 */

export { createHandlers, createOperationHandlers, type Handlers } from "./double/msw/handlers.ts";
export type { TestHook, TestHooks } from "./double/msw/lifecycle.ts";
export { type InterceptedExplorer, type SetupOptions, setupExplorer } from "./double/msw/setup.ts";
export * from "./index.ts";
