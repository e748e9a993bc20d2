// The transfers of a token, decoded from its event logs (L1); loaded when they are first read.
import * as z from "zod/mini";
import { type AnyOperation, operations } from "../contract/index.ts";
import { pageOf } from "../contract/operation.ts";
import { EventLog } from "../models/event-log.ts";
import type { Address, Hex } from "../models/primitives.ts";
import { topicsOf } from "./display.ts";

/**
 * A transfer of a token: the log of its `Transfer` event, decoded. An event
 * log has no block number, and says nothing of the token: see `accounts.mrc20Transfers` for
 * those. What the contract did not log is null.
 */
export interface TokenTransfer extends EventLog {
  /** The contract of the token. */
  readonly token_address: Address;
  /** The previous holder; the zero address if tokens are minted. */
  readonly sender: Address | null;
  /** The new holder; the zero address if tokens are burned. */
  readonly receiver: Address | null;
  /** In the token's smallest unit; null if a token with an id is moved. */
  readonly value: bigint | null;
  /** The id of the token; null if an amount is moved. */
  readonly token_id: bigint | null;
}

/** The 32-byte words of a text. */
const wordsIn = (data: Hex): readonly string[] => data.slice(2).match(/.{64}/g) ?? [];

/**
 * The log of a transfer, decoded. Early contracts index fewer parameters: those are the first
 * words of the data.
 */
export function loggedTransfer<
  Log extends Pick<EventLog, "address" | "data" | "topic_0" | "topic_1" | "topic_2" | "topic_3">,
>(log: Log): Log & Omit<TokenTransfer, keyof EventLog> {
  const indexed = topicsOf(log).slice(1);
  const [from, to, moved] = [...indexed, log.data].flatMap(wordsIn);
  const holder = (word: string | undefined): Address | null =>
    word === undefined ? null : `0x${word.slice(24)}`;
  const number = moved === undefined ? null : BigInt(`0x${moved}`);
  const hasId = indexed.length === 3;
  return {
    ...log,
    token_address: log.address,
    sender: holder(from),
    receiver: holder(to),
    value: hasId ? null : number,
    token_id: hasId ? number : null,
  };
}

const operation: AnyOperation = {
  ...operations.L1,
  results: pageOf(z.pipe(EventLog, z.transform(loggedTransfer<EventLog>))),
};

/** L1 with transfers in place of logs: an operation like it, whose records have more fields. */
export const tokenTransfers = operation as typeof operations.L1;
