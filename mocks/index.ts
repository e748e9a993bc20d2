// The explorer as a test double: everything that runs in Node and in browsers alike.

export { type Decision, decisions, type Origin } from "../src/contract/decisions.ts";
export type { BlockBody, Execution, Facts, TokenFacts } from "./chain/body.ts";
export * from "./chain/build/index.ts";
export { Chain, type ChainOptions, type Snapshot } from "./chain/chain.ts";
export { type GenerateOptions, generateChain } from "./chain/generate.ts";
export type * from "./chain/reader.ts";
export {
  type Block,
  FRAME_TYPES,
  type Frame,
  type FrameType,
  type Holding,
  type Log,
  type Nft,
  type Token,
  type TokenStandard,
  type Transaction,
  type Transfer,
  type VerifiedContract,
} from "./chain/records.ts";
export { type Conformance, ConformanceError } from "./doors/conformance.ts";
export {
  createExplorer,
  type Explorer,
  type ExplorerOptions,
  type ExplorerSnapshot,
} from "./doors/explorer.ts";
export {
  type Arranged,
  type Effect,
  type Fault,
  FaultError,
  type FaultMatch,
  type Faults,
  type FaultsSnapshot,
  type Lag,
  type Latency,
} from "./faults.ts";
export { IngestError, type Place } from "./ingest/fault.ts";
export {
  type ChainFile,
  type ChainTexts,
  type LoadOptions,
  parseChain,
} from "./ingest/parse-chain.ts";
export { type Asked, type Journal, type JournalEntry, JournalError } from "./journal.ts";
export type {
  OnChainContract,
  Submission,
  Verdict,
  VerifiedSource,
  Verifier,
} from "./verification/port.ts";
