// Creates a builder for a new chain or an existing one.
import { Chain } from "../chain/chain.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { classOf } from "../input/options.ts";
import { type BlockOptions, genesisBlock } from "./block.ts";
import { ChainBuilder } from "./builder.ts";
import type { ChainBuilderOptions } from "./options.ts";
import { checked } from "./schemas.ts";

/** The rules and the first block of a new chain. */
export interface BuildOptions extends ChainBuilderOptions, Omit<BlockOptions, "miner"> {
  /** Default 1717. */
  readonly chainId?: number | undefined;
}

/**
 * Starts a chain and returns its builder.
 *
 * @example
 * ```ts
 * import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
 *
 * const builder = buildChain();
 * const alice = builder.account({ name: "alice", balance: coins(10) });
 * const bob = builder.account({ name: "bob" });
 * const payment = builder.transfer(alice, bob, coins(1));
 * builder.mine();
 *
 * const mock = createExplorer({ chain: builder });
 * ```
 */
export function buildChain(options: BuildOptions = {}): ChainBuilder {
  const { chainId = 1717, ...rules } = checked("buildChain", "buildChain", options);
  const chain = new Chain({ chainId });
  chain.append(genesisBlock(chainId, rules.freeGas ? { ...rules, baseFeePerGas: 0n } : rules));
  return new ChainBuilder(chain, rules);
}

/**
 * Continues a chain: the demo chain, a loaded one, or a fork.
 *
 * @example
 * ```ts
 * const builder = continueChain(mock.chain);
 * builder.transfer(builder.account({ balance: coins(1) }), bob, coins("0.5"));
 * builder.mine();
 * ```
 */
export function continueChain(chain: ChainWriter, options: ChainBuilderOptions = {}): ChainBuilder {
  if (typeof Object(chain).append !== "function")
    throw new TypeError(
      `continueChain: expected a chain, such as mock.chain or builder.chain, received ${classOf(chain)}`,
    );
  return new ChainBuilder(chain, checked("continueChain", "continueChain", options));
}
