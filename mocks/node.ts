// The mock explorer in Node: the HTTP server, chains from folders and nodes, and the verifier.

export * from "./index.ts";
export { loadDemo } from "./ingest/demo.ts";
export { type Follower, type FollowOptions, followNode } from "./ingest/follow-node.ts";
export { loadChain } from "./ingest/load-chain.ts";
export { type ServedExplorer, type ServeOptions, serveExplorer } from "./server/server.ts";
export { createVerifier, type VerifierOptions } from "./verification/verifier.ts";
