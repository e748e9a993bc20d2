// The mock explorer behind MSW in Node: handlers, and the setup of a test file.

/**
 * The mock explorer behind MSW in Node: everything in `mrc-explorer/mocks`, handlers, and
 * {@link setupExplorer} for a test file.
 *
 * @module mrc-explorer/mocks/msw
 */

export * from "./index.ts";
export { createHandlers } from "./msw/handlers.ts";
export type { TestHook, TestHooks } from "./msw/lifecycle.ts";
export { type InterceptedExplorer, type SetupOptions, setupExplorer } from "./msw/setup.ts";
