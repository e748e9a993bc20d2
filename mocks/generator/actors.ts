// The actors of a generated chain: accounts, miners, tokens and contracts, each derived from its number.
import type { Address, Hex, TokenStandard } from "../chain/records.ts";
import { coins } from "../chain/units.ts";
import { Account } from "./account.ts";
import { RandomStreams } from "./stream.ts";

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
  /** The highest amount transferred at once, in its smallest unit. */
  readonly highestAmount: bigint;
  /** Whether ids use 256 bits, or count from 1. */
  readonly hugeIds: boolean;
}

export class Actors {
  readonly #seed: number | string;
  readonly accounts: readonly Account[];
  readonly miners: readonly Address[];
  readonly tokens: readonly GeneratedToken[];

  constructor(
    seed: number | string,
    counts: { readonly accounts: number; readonly miners: number; readonly tokens: number },
  ) {
    this.#seed = seed;
    const [accounts, endowments] = [this.streams("account"), this.streams("endowment")];
    this.accounts = numbered(counts.accounts, (index) => {
      const endowment = COIN * BigInt(100 + endowments.of(index).below(10_000));
      return new Account(accounts.of(index).hex(20), index, endowment);
    });
    this.miners = numbered(counts.miners, (index) => this.address("miner", index));
    this.tokens = numbered(counts.tokens, (index) => this.#token(index));
  }

  streams(kind: string): RandomStreams {
    return new RandomStreams(this.#seed, kind);
  }

  address(kind: string, index: number): Address {
    return this.streams(kind).of(index).hex(20);
  }

  /** The standards alternate. */
  #token(index: number): GeneratedToken {
    const stream = this.streams("token").of(index);
    const address = stream.hex(20);
    const word = stream.pick(TOKEN_NAMES);
    const nft = index % 2 === 1;
    const decimals = nft ? null : (DECIMALS[(index / 2) % DECIMALS.length] as number);
    return {
      address,
      standard: nft ? "mrc721" : "mrc20",
      name: `${word} ${nft ? "Collection" : "Token"} ${index}`,
      symbol: `${word.slice(0, 3).toUpperCase()}${index}`,
      decimals,
      highestAmount: 1000n * 10n ** BigInt(decimals ?? 0),
      hugeIds: index % 4 === 3,
    };
  }
}

const numbered = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));
