// The accounts of a generated chain, each with what the transactions planned so far leave it.
import { WORD_DIGITS, ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address, Hash } from "../chain/records.ts";

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

export class Account extends Party {
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
