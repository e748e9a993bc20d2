// The client and the mock explorer in one file, for pages without a bundler.

/**
 * Everything in `mrc-explorer` and `mrc-explorer/mocks` in one file, for pages without a bundler:
 * `dist/browser.js`.
 *
 * @module mrc-explorer/browser
 */

// Both modules export this name.
export type { VerificationLevel } from "../src/index.ts";
export * from "../src/index.ts";
export * from "./index.ts";
