// Shape a chain: tell it as a story, on a new chain or on one that is there.
import { Chain } from "../chain/chain.ts";
import { type BlockOptions, genesis } from "./block.ts";
import { ChainBuilder, type ChainBuilderOptions } from "./builder.ts";

/** A new chain's rules, and its first block. */
export interface BuildOptions extends ChainBuilderOptions, Omit<BlockOptions, "miner"> {
  /** 1717 if left out. */
  readonly chainId?: number;
}

/**
 * A new chain, to be told as a story.
 *
 * @example
 * ```ts
 * import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
 *
 * const story = buildChain();
 * const alice = story.account({ name: "alice", balance: coins(10) });
 * const bob = story.account({ name: "bob" });
 * const payment = story.transfer(alice, bob, coins(1));
 * story.mine();
 *
 * const mock = createExplorer({ chain: story });
 * ```
 */
export function buildChain(options: BuildOptions = {}): ChainBuilder {
  const { chainId = 1717, timestamp, baseFeePerGas, gasLimit, ...rules } = options;
  const chain = new Chain({ chainId });
  const block = {
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(rules.freeGas === true
      ? { baseFeePerGas: 0n }
      : baseFeePerGas === undefined
        ? {}
        : { baseFeePerGas }),
    ...(gasLimit === undefined ? {} : { gasLimit }),
    ...(rules.miner === undefined ? {} : { miner: rules.miner }),
  };
  chain.append(genesis(chainId, block));
  return new ChainBuilder(chain, rules);
}

/**
 * Goes on telling a chain that is there: the demo chain, a loaded one, a fork of another story.
 *
 * @example
 * ```ts
 * const story = continueChain(mock.chain);
 * story.transfer(story.account({ balance: coins(1) }), bob, coins("0.5"));
 * story.mine();
 * ```
 */
export const continueChain = (chain: Chain, options: ChainBuilderOptions = {}): ChainBuilder =>
  new ChainBuilder(chain, options);

export type { BlockOptions } from "./block.ts";
export {
  type AccountOptions,
  ChainBuilder,
  type ChainBuilderOptions as StoryOptions,
  type ContractSource,
  type Deployed,
  type Mrc20Options,
  type Mrc721Options,
} from "./builder.ts";
export { tokenEvents } from "./events.ts";
export { callData, eventTopic, word } from "./evm.ts";
export type { CallFrame, CallMessage as Call, CreationMessage as Creation } from "./frame.ts";
export { ImpossibleError } from "./impossible.ts";
export type { Reorganisation } from "./reorganisation.ts";
export type { Mrc20Contract, Mrc721Contract, TokenMetadata, TokenOptions } from "./tokens.ts";
export type { GasOptions, Sent } from "./transaction.ts";
export { coins, gwei } from "./units.ts";
