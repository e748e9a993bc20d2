// The mock explorer in Node: the HTTP server, chains from folders and nodes, and the verifier.

/**
 * The mock explorer in Node: everything in `mrc-explorer/mocks`, the HTTP server, chains from folders and nodes, and the verifier.
 *
 * @module mrc-explorer/mocks/node
 */

export { loadChain, loadDemo } from "./double/sources/ingest/load-chain.ts";
export * from "./index.ts";
export {
  type Follower,
  type FollowOptions,
  followNode,
  startFollowing,
} from "./workbench/follow/follow-node.ts";
export { StoreError } from "./workbench/follow/store/store-error.ts";
export type { AdminOperationId, AdminOperations } from "./workbench/port/admin/operations.ts";
export type { ServeOptions } from "./workbench/port/options.ts";
export type { ServedAdmin } from "./workbench/port/served-admin.ts";
export { type ServedExplorer, serveExplorer } from "./workbench/port/server.ts";
export {
  createProxy,
  createReplay,
  type ProxyOptions,
  type ReplayOptions,
} from "./workbench/recording/create-replay.ts";
export { RecordingError } from "./workbench/recording/recording.ts";
export { createVerifier, type VerifierOptions } from "./workbench/verify/verifier.ts";
