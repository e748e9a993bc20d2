// The mock explorer: everything that runs both in Node and in browsers.

/**
 * The mock explorer, in Node and in browsers: {@link createExplorer}, {@link buildChain}, faults
 * and the journal.
 *
 * @module mrc-explorer/mocks
 */

// Imported first, so that its advice comes before the errors of libraries that need TextEncoder.
import { assertTextCoding } from "./input/text-coding.ts";

export { type Conformance, ConformanceError } from "../src/contract/conformance.ts";
export { type GenerateOptions, generateChain } from "./builder/generator.ts";
export * from "./builder/index.ts";
export { Chain, type ChainOptions } from "./chain/chain.ts";
export { FRAME_TYPES, type FrameType } from "./chain/fields.ts";
export type {
  AccountRead,
  FollowStatus,
  HeadQuestion,
  HeadRead,
  LiveChain,
  TokenRead,
} from "./chain/live-chain.ts";
export type * from "./chain/reader.ts";
export type { BusyAccount, ChainOrigin, ChainSurvey } from "./chain/reader.ts";
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
} from "./chain/records.ts";
export type { ChainSnapshot, ChainWriter, Overdraft } from "./chain/writer.ts";
export {
  createExplorer,
  type Explorer,
  type ExplorerOptions,
  type ExplorerSnapshot,
} from "./explorer.ts";
export {
  type Effect,
  type Fault,
  FaultError,
  type FaultMatch,
  type FaultPreset,
  faultPresets,
  type Lag,
  type Latency,
  type PresetFault,
  type ReshapeResults,
} from "./faults/fault.ts";
export type { ActiveFault, Faults, FaultsSnapshot } from "./faults/faults.ts";
export {
  type ChainFile,
  type ChainTexts,
  type LoadOptions,
  parseChain,
} from "./ingest/parse-chain.ts";
export { IngestError, type InputLocation } from "./ingest/read.ts";
export type { Journal } from "./journal/journal.ts";
export {
  JournalError,
  type ParameterDigest,
  type RequestParameters,
} from "./journal/journal-entry.ts";
export type { ServiceRequest } from "./message/message.ts";
export type { JournalEntry } from "./message/notes.ts";
export type {
  InputSubmission,
  OnChainContract,
  ProxyContract,
  Submission,
  Verdict,
  VerifiedSource,
  Verifier,
  VerifierLimits,
  VerifyOptions,
} from "./operations/verifier.ts";

assertTextCoding();
