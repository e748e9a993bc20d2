// The mock explorer in Node: the HTTP server, chains from folders and nodes, and the verifier.

/**
 * The mock explorer in Node: everything in `mrc-explorer/mocks`, the HTTP server, chains from
 * folders and nodes, and the verifier.
 *
 * @module mrc-explorer/mocks/node
 */

export {
  type Follower,
  type FollowOptions,
  followNode,
  startFollowing,
} from "./follow/follow-node.ts";
export { StoreError } from "./follow/store/chain-store.ts";
export * from "./index.ts";
export { loadChain, loadDemo } from "./ingest/load-chain.ts";
export type { AdminOperationId, AdminOperations } from "./port/admin/operations.ts";
export type { ServeOptions } from "./port/options.ts";
export type { ServedAdmin } from "./port/served-admin.ts";
export { type ServedExplorer, serveExplorer } from "./port/server.ts";
export {
  createProxy,
  createReplay,
  type ProxyOptions,
  type ReplayOptions,
} from "./recording/create-replay.ts";
export { RecordingError } from "./recording/recording.ts";
export { createVerifier, type VerifierOptions } from "./verify/verifier.ts";
