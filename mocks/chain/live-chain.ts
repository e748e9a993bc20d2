// A chain that changes by itself, such as one that follows a node: its status, and how to refresh
// state before reading.
import type { Address, ContractVerification, CreatedContract, Hash, Hex } from "./records.ts";
import type { ChainWriter } from "./writer.ts";

/** The progress of a follower. */
export interface FollowStatus {
  /**
   * - `restoring`: the chain is read from the store.
   * - `connecting`: the node has not responded yet.
   * - `catching-up`: blocks are being fetched.
   * - `following`: at the node's head.
   * - `failing`: the last update failed; following continues.
   * - `stuck`: the node's next block cannot be read, or does not follow the one below it; see
   * `lastError`.
   */
  readonly state: "restoring" | "connecting" | "catching-up" | "following" | "failing" | "stuck";
  /** The number of the first block of the chain; null if it has none. */
  readonly first: number | null;
  /** The number of the last block of the chain; null if it has none. */
  readonly head: number | null;
  /** The node's head at the last request; null before the first response. */
  readonly nodeHead: number | null;
  /** Blocks behind the node; null before it responds. */
  readonly lag: number | null;
  readonly blocks: number;
  readonly transactions: number;
  /** Blocks per second while catching up; null at the head. */
  readonly blocksPerSecond: number | null;
  /** Transactions per second while catching up; null at the head. */
  readonly transactionsPerSecond: number | null;
  /** Seconds until the node's head at this rate; null if it is not known. */
  readonly secondsLeft: number | null;
  /**
   * Progress of closing a follower with a store. Before it closes, the follower requests the state
   * of the accounts in each new block. `blocks` counts the blocks that are done, and `of` counts all
   * of them. Null before closing.
   */
  readonly swept: { readonly blocks: number; readonly of: number } | null;
  /** The calls that the node did not answer, and that will be sent again: `eth_call 0x…`. */
  readonly missing: readonly string[];
  /** The last failure, even if later updates succeeded. */
  readonly lastError: { readonly message: string; readonly at: Date } | null;
}

export interface AccountRead {
  readonly kind: "balance" | "code";
  readonly account: Address;
  /** Whether the request can be answered without it. */
  readonly optional?: boolean;
}

/** A read of a token: its metadata, a holder's balance, or an id's owner or URI. */
export type TokenRead =
  | { readonly kind: "token"; readonly token: Address }
  | {
      readonly kind: "token-balance";
      readonly token: Address;
      readonly holder: Address;
      /** Whether the request can be answered without it, because the read only confirms a value. */
      readonly optional?: boolean;
    }
  | { readonly kind: "owner" | "uri"; readonly token: Address; readonly id: bigint };

/** A part of the state at the head that a request reads. */
export type HeadRead = AccountRead | TokenRead;

export interface HeadQuestion {
  /**
   * Refreshes the state that the request reads. Returns undefined if that state is up to date. Call
   * `fetch` until it returns undefined, because fetched state may cause further reads. Then read the
   * state synchronously, because the head can move while a caller waits.
   *
   * @throws HeadStateUnavailable (the promise rejects) if the source does not return it
   */
  fetch(): Promise<void> | undefined;
  /**
   * Whether some of the state was derived from blocks and earlier answers, because requesting it
   * would take too many calls, or the source no longer has it.
   */
  readonly incomplete: boolean;
}

/** The source did not return the state at the head, but may return it later. */
export class HeadStateUnavailable extends Error {
  override readonly name = "HeadStateUnavailable";
}

/** The instructions that a transaction ran: the place of each in its code, and its depth. */
export interface Steps {
  readonly positions: readonly number[];
  readonly depths: readonly number[];
}

export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly message: string } };

/**
 * A chain that changes by itself. Explorers share it, so `reset`, `restore` and tenants do not
 * change it.
 */
export interface LiveChain {
  readonly chain: ChainWriter;
  readonly live: true;
  /** Returns why requests cannot be answered now, for a 503; undefined if they can. */
  unavailable(): string | undefined;
  /** How far the chain is behind its node. */
  status(): FollowStatus;
  /** Whether the chain has no internal transactions. If so, responses of A3 and X3 say it. */
  readonly untraced: boolean;
  /** Begins a request that reads state at the head. Calls `reads` as often as needed. */
  question(reads: () => Iterable<HeadRead>): HeadQuestion;
  /** The fields that `/health` reports besides the head. */
  health(): Readonly<Record<string, unknown>>;
  /** Stores a verified contract, so that the next process has it. */
  keepVerified?(contract: ContractVerification): void;
  /** Returns the contract that this input creates, if a known project has it. */
  readonly contractCreatedBy?: ((input: Hex) => CreatedContract | undefined) | undefined;
  /** The steps of a transaction; undefined if the source does not have them. */
  stepsOf?(transaction: Hash): Promise<Steps | undefined>;
  /** Sends calls to the node. Rejects if the node cannot be reached. */
  ask?(calls: readonly NodeCall[]): Promise<readonly NodeAnswer[]>;
}

export const isLive = (source: object | undefined): source is LiveChain =>
  source !== undefined && "live" in source && source.live === true;
