// The mock explorer in Node: the HTTP server, chains from folders and nodes, and the verifier.

/**
 * The mock explorer in Node: everything in `mrc-explorer/mocks`, the HTTP server, chains from folders and nodes, and the verifier.
 *
 * @module mrc-explorer/mocks/node
 */

export type { AdminOperationId, AdminOperations } from "./admin/operations.ts";
export {
  type Follower,
  type FollowOptions,
  followNode,
  startFollowing,
} from "./follow/follow-node.ts";
export * from "./index.ts";
export { loadChain, loadDemo } from "./ingest/load-chain.ts";
export {
  createProxy,
  createReplay,
  type ProxyOptions,
  type ReplayOptions,
} from "./recording/create-replay.ts";
export { RecordingError } from "./recording/recording.ts";
export type { ServeOptions } from "./server/options.ts";
export type { ServedAdmin } from "./server/served-admin.ts";
export { type ServedExplorer, serveExplorer } from "./server/server.ts";
export { StoreError } from "./store/store-error.ts";
export { createVerifier, type VerifierOptions } from "./verification/verifier.ts";
