// The calls of a node that tell what a request reads of the state at the head.
import { concat, padLeft, padRight } from "ox/Hex";
import { wordOf, ZERO_ADDRESS } from "../chain/hex.ts";
import type { HeadRead, TokenRead } from "../chain/live-chain.ts";
import type { Address, Hex } from "../chain/records.ts";
import { MRC721_INTERFACE, NO_INTERFACE, SELECTORS } from "../ingest/head-state.ts";

/** The first parameter of `eth_call`. */
export interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
}

/** A call, without the block. */
export interface HeadCall {
  readonly method: "eth_getBalance" | "eth_getCode" | "eth_call";
  readonly subject: Address | ContractCall;
}

/** The data of a call of `balanceOf`. */
export const balanceOf = (holder: Address): Hex => concat(SELECTORS.balanceOf, padLeft(holder, 32));
/** The data of a call of `supportsInterface`. */
export const supports = (id: Hex): Hex => concat(SELECTORS.supportsInterface, padRight(id, 32));
/** Whether a contract has balances: any holder will do. */
export const HAS_BALANCES = balanceOf(ZERO_ADDRESS);

/** Whether a contract claims to be a collection. */
const CLAIMS = [supports(MRC721_INTERFACE), supports(NO_INTERFACE)];
/** What a token says of itself. */
const OF_TOKEN = [
  SELECTORS.name,
  SELECTORS.symbol,
  SELECTORS.decimals,
  SELECTORS.totalSupply,
  HAS_BALANCES,
  ...CLAIMS,
];

/** The data of the calls of a token. */
function dataOf(read: TokenRead): readonly Hex[] {
  switch (read.kind) {
    case "token":
      return OF_TOKEN;
    case "token-balance":
      return [balanceOf(read.holder)];
    case "owner":
      // Whether a failed call says that the id does not exist depends on what the contract claims to be.
      return [concat(SELECTORS.ownerOf, wordOf(read.id)), ...CLAIMS];
    case "uri":
      return [concat(SELECTORS.tokenURI, wordOf(read.id))];
  }
}

export function callsOf(read: HeadRead): readonly HeadCall[] {
  if ("account" in read) {
    const method = read.kind === "balance" ? "eth_getBalance" : "eth_getCode";
    return [{ method, subject: read.account }];
  }
  return dataOf(read).map((data) => ({ method: "eth_call", subject: { to: read.token, data } }));
}

/** How many calls a read costs; the claims of a token are asked once for all its ids. */
export const costOf = ({ kind }: HeadRead): number => (kind === "token" ? OF_TOKEN.length : 1);

/** The same text for the same read. */
export function keyOf(read: HeadRead): string {
  if ("account" in read) return `${read.kind} ${read.account}`;
  switch (read.kind) {
    case "token":
      return `${read.kind} ${read.token}`;
    case "token-balance":
      return `${read.kind} ${read.token} ${read.holder}`;
    default:
      return `${read.kind} ${read.token} ${read.id}`;
  }
}

/** The same text for the same call. */
export const keyOfCall = ({ method, subject }: HeadCall): string =>
  typeof subject === "string" ? `${method} ${subject}` : `${subject.to} ${subject.data}`;
