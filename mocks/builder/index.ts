// The public exports of the chain builder.
export { eventTopic } from "../../src/contract/event-topic.ts";
export { coins, gwei } from "../chain/units.ts";
export type { BlockOptions, BlockRewardShare } from "./block.ts";
export { type BuildOptions, buildChain, continueChain } from "./build-chain.ts";
export { ChainBuilder } from "./builder.ts";
export { callData, ImpossibleError, tokenEvents, word } from "./evm.ts";
export type { CallFrame, CallMessage, CreationMessage } from "./frame.ts";
export type {
  AccountOptions,
  ChainBuilderOptions,
  ContractSource,
  DeployedContract,
  Mrc20Options,
  Mrc721Options,
  TokenMetadata,
  TransactionReference,
} from "./options.ts";
export { buildRecipe } from "./recipe.ts";
export type { Recipe } from "./recipe-schema.ts";
export type { ReorgResult } from "./reorganisation.ts";
export type { Mrc20Contract, Mrc721Contract, TokenOptions } from "./tokens.ts";
export type { GasOptions, SentTransaction } from "./transaction.ts";
