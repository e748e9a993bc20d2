// The explorer as a test double in Node: on a port, from a chain folder, with compilers.

export * from "./index.ts";
export { loadDemo } from "./ingest/demo.ts";
export { type Follower, type FollowOptions, followNode } from "./ingest/follow-node.ts";
export { loadChain } from "./ingest/load-chain.ts";
export { type ServedExplorer, type ServeOptions, serveExplorer } from "./server/server.ts";
export { createVerifier, type VerifierOptions } from "./verification/verifier.ts";
