// The actors of a generated chain: accounts, miners, tokens and contracts, each derived from its number, and what they have after the transactions
// planned so far.

import { WORD_DIGITS, ZERO_ADDRESS } from "../../chain/hex.ts";
import type { Address, Hash, Hex, TokenStandard } from "../../chain/records.ts";
import { coins } from "../../chain/units.ts";
import { type RandomStream, RandomStreams } from "./stream.ts";

/** Who sends or receives a token: an account, or nobody. */
export class Party {
  readonly address: Address;
  /** The address as a 32-byte word, without `0x`. Made once: making it for each event is a good part of planning a transaction. */
  readonly word: string;
  readonly topic: Hash;

  constructor(address: Address) {
    this.address = address;
    this.topic = `0x${address.slice(2).padStart(WORD_DIGITS, "0")}`;
    this.word = this.topic.slice(2);
  }
}

export class Actor extends Party {
  /** The position among the accounts. */
  readonly index: number;
  /** Its coins in the genesis block. */
  readonly endowment: bigint;
  coins: bigint;
  /** The number of transactions it sent. */
  nonce = 0;

  constructor(address: Address, index: number, endowment: bigint) {
    super(address);
    this.index = index;
    this.endowment = endowment;
    this.coins = endowment;
  }
}

/** The zero address: tokens come from it when they are minted, and go to it when they are burnt. */
export const NOBODY = new Party(ZERO_ADDRESS);

export class Balances {
  /** By the account's number, which is found faster than its address. */
  readonly #amounts = new Map<number, bigint>();

  of({ index }: Actor): bigint {
    return this.#amounts.get(index) ?? 0n;
  }

  add(account: Actor, change: bigint): void {
    this.#amounts.set(account.index, this.of(account) + change);
  }
}

/** A token of a collection. */
export interface Item {
  readonly id: bigint;
  /** Null once it is burnt. */
  owner: Actor | null;
}

export class Collection {
  readonly #items: Item[] = [];

  /** The number of tokens ever minted. */
  get minted(): number {
    return this.#items.length;
  }

  mint(id: bigint, owner: Actor): void {
    this.#items.push({ id, owner });
  }

  /** A random token, which may be burnt; undefined if there is none. */
  pick(stream: RandomStream): Item | undefined {
    return this.#items[stream.below(this.#items.length)];
  }
}

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
  readonly accounts: readonly Actor[];
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
      return new Actor(accounts.of(index).hex(20), index, endowment);
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
