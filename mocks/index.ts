// The mock explorer: everything that runs both in Node and in browsers.

/**
 * The mock explorer, in Node and in browsers: {@link createExplorer}, {@link buildChain}, faults and the journal.
 *
 * @module mrc-explorer/mocks
 */

export { type Decision, decisions, type Origin } from "../src/contract/decisions.ts";
export { Chain, type ChainOptions } from "./double/chain/chain.ts";
export type {
  AccountRead,
  FollowStatus,
  HeadQuestion,
  HeadRead,
  LiveChain,
  TokenRead,
} from "./double/chain/live-chain.ts";
export type * from "./double/chain/reader.ts";
export type { BusyAccount, ChainOrigin, ChainSurvey, Credit } from "./double/chain/reader.ts";
export { FRAME_TYPES, type FrameType } from "./double/chain/record-codec.ts";
export type {
  Block,
  BlockInput,
  ChainTransaction,
  CompiledFiles,
  ContractVerification,
  CreatedContract,
  Execution,
  Frame,
  HeadState,
  Holding,
  Log,
  Nft,
  StorageLayout,
  StorageType,
  StorageVariable,
  Token,
  TokenStandard,
  TokenState,
  Transfer,
  UncoveredRegion,
  VerificationLevel,
} from "./double/chain/records.ts";
export type { ChainSnapshot, ChainWriter, Overdraft } from "./double/chain/writer.ts";
export {
  createExplorer,
  type Explorer,
  type ExplorerOptions,
  type ExplorerSnapshot,
} from "./double/explorer.ts";
export {
  type ActiveFault,
  type Effect,
  type Fault,
  FaultError,
  type FaultMatch,
  type FaultPreset,
  type Faults,
  type FaultsSnapshot,
  faultPresets,
  type Lag,
  type Latency,
  type PresetFault,
} from "./double/faults/index.ts";
export type { Journal } from "./double/journal/journal.ts";
export {
  JournalError,
  type ParameterDigest,
  type RequestParameters,
} from "./double/journal/journal-entry.ts";
export type {
  CreationContext,
  InputSubmission,
  OnChainContract,
  ProxyContract,
  Submission,
  Turn,
  Verdict,
  VerifiedSource,
  Verifier,
  VerifierLimits,
} from "./double/operations/verifier.ts";
export { type Conformance, ConformanceError } from "./double/service/conformance.ts";
export type { ServiceRequest } from "./double/service/message.ts";
export type { JournalEntry } from "./double/service/notes.ts";
export * from "./double/sources/builder/index.ts";
export { type GenerateOptions, generateChain } from "./double/sources/generator.ts";
export {
  type ChainFile,
  type ChainTexts,
  type LoadOptions,
  parseChain,
} from "./double/sources/ingest/parse-chain.ts";
export { IngestError, type InputLocation } from "./double/sources/ingest/read.ts";
