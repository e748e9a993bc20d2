// The actors of a generated chain: accounts, miners, tokens and contracts, each derived from its number.
import type { Address, Hex, TokenStandard } from "../chain/records.ts";
import { coins } from "../chain/units.ts";
import { RandomStream } from "./stream.ts";

const COIN = coins(1);

const TOKEN_NAMES = ["Aurora", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Garnet", "Harbor"];
const DECIMALS = [18, 6, 8, 0, 18, 12];

/** The runtime code of every generated contract. It never runs; it marks the account as a contract. */
export const CONTRACT_CODE: Hex = "0x60806040525f5ffdfea164736f6c634300081c000a";

export interface GeneratedToken {
  readonly address: Address;
  readonly standard: TokenStandard;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number | null;
  /** Whether ids use 256 bits, or count from 1. */
  readonly hugeIds: boolean;
}

export class Actors {
  readonly seed: number | string;
  readonly accounts: readonly Address[];
  /** Each account's coins in the genesis block. */
  readonly initialBalances: ReadonlyMap<Address, bigint>;
  readonly miners: readonly Address[];
  readonly tokens: readonly GeneratedToken[];

  constructor(
    seed: number | string,
    counts: { readonly accounts: number; readonly miners: number; readonly tokens: number },
  ) {
    this.seed = seed;
    this.accounts = numbered(counts.accounts, (index) => this.address("account", index));
    this.initialBalances = new Map(
      this.accounts.map((account, index) => [account, this.#initialBalance(index)]),
    );
    this.miners = numbered(counts.miners, (index) => this.address("miner", index));
    this.tokens = numbered(counts.tokens, (index) => this.#token(index));
  }

  stream(kind: string, index: number): RandomStream {
    return new RandomStream(this.seed, kind, index);
  }

  address(kind: string, index: number): Address {
    return this.stream(kind, index).hex(20);
  }

  #initialBalance(index: number): bigint {
    return COIN * BigInt(100 + this.stream("endowment", index).below(10_000));
  }

  /** The standards alternate. */
  #token(index: number): GeneratedToken {
    const stream = this.stream("token", index);
    const address = stream.hex(20);
    const word = stream.pick(TOKEN_NAMES);
    const nft = index % 2 === 1;
    return {
      address,
      standard: nft ? "mrc721" : "mrc20",
      name: `${word} ${nft ? "Collection" : "Token"} ${index}`,
      symbol: `${word.slice(0, 3).toUpperCase()}${index}`,
      decimals: nft ? null : (DECIMALS[(index / 2) % DECIMALS.length] as number),
      hugeIds: index % 4 === 3,
    };
  }
}

const numbered = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));
