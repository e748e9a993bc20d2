// The public exports of `mrc-explorer`.

/**
 * The client of an MRC block explorer: {@link ExplorerClient}, its records, its errors and helpers.
 * It runs in Node and in browsers.
 *
 * @module mrc-explorer
 */

export { ExplorerClient } from "./client.ts";
export { defineDialect } from "./contract/define-dialect.ts";
export type {
  Dialect,
  DialectDefinition,
  DialectOperations,
  OperationDialect,
} from "./contract/dialect.ts";
export { type DialectName, dialects } from "./contract/dialects.ts";
export { eventTopic } from "./contract/event-topic.ts";
export {
  type AnyOperation,
  type AnySchema,
  type FailureMeaning,
  type Finality,
  limits,
  type Operation,
  type OperationArguments,
  type OperationId,
  type OperationInput,
  type OperationResults,
  type OperationResultsWire,
  type Operations,
  operations,
  type RecordList,
} from "./contract/index.ts";
export type {
  OperationIdOf,
  OperationKey,
  OperationName,
  OperationReference,
  ReferencedOperation,
} from "./contract/operation-names.ts";
export * from "./errors/index.ts";
export type { ApiKey } from "./http/api-key.ts";
export type { CacheStore } from "./http/cache.ts";
export type {
  Call,
  RequestOptions,
  ResponseWithData,
  ResultPromise,
} from "./http/call.ts";
export type { Fetch, FetchInit, FetchResponse } from "./http/fetch.ts";
export type {
  FailureEvent,
  Hooks,
  Logger,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ValidationIssueEvent,
} from "./http/hooks.ts";
export type { Validation } from "./http/invalid.ts";
export type { RateLimit } from "./http/rate-limiter.ts";
export type { RetryOptions, RetryState } from "./http/retry.ts";
export { BalanceRequest, type BatchOptions, type BatchResponse } from "./lists/balance-request.ts";
export type { ReorganisedRecords } from "./lists/list-poller.ts";
export {
  type IterationOptions,
  type ListInput,
  type ListOperation,
  type Moment,
  type Page,
  PagedRequest,
  type Period,
  type Reorganisation,
  type Shortfall,
  type TokenHolding,
} from "./lists/paged-request.ts";
export type {
  AccountEvent,
  AccountWatch,
  WatchedRecords,
  WatchOptions,
} from "./lists/watch.ts";
export * from "./models/block.ts";
export type { Codec } from "./models/codec.ts";
export {
  AbiEntry,
  type AbiEntryWire,
  Verification,
  type VerificationLevel,
  type VerificationWire,
  VerifiedContract,
  type VerifiedContractWire,
} from "./models/contract.ts";
export * from "./models/event-log.ts";
export { isHash } from "./models/hex.ts";
export * from "./models/holdings.ts";
export * from "./models/internal-transaction.ts";
export * from "./models/inventory.ts";
export type { Issue } from "./models/issues.ts";
export type { Decoded, Encoded } from "./models/model.ts";
export type { Address, Decimal, Hash, Hex, Status } from "./models/primitives.ts";
export * from "./models/transaction.ts";
export * from "./models/transfer.ts";
export * from "./resources/abi.ts";
export type { Accounts } from "./resources/accounts.ts";
export {
  type AddressCheck,
  checkedChecksum as checksumAddress,
  isValidAddress as isAddress,
} from "./resources/address.ts";
export type { Blocks } from "./resources/blocks.ts";
export type { Contracts } from "./resources/contracts.ts";
export { formatTokenAmount, sameAddress, topicsOf } from "./resources/display.ts";
export type { EventArguments, EventInput, EventItem } from "./resources/event-filter.ts";
export type { EventLogs } from "./resources/event-logs.ts";
export type * from "./resources/pages.ts";
export type * from "./resources/queries.ts";
export { type KeyedRecord, recordKey } from "./resources/record-key.ts";
export type { CompilerSettings, VerificationSubmission } from "./resources/submission.ts";
export type { TokenInfo } from "./resources/token-info.ts";
export type { TokenTransfer } from "./resources/token-transfers.ts";
export type { Tokens } from "./resources/tokens.ts";
export type { Transactions } from "./resources/transactions.ts";
export type { ExplorerClientOptions } from "./settings.ts";
