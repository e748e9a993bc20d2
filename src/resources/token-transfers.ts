// The transfers of a token, decoded from its event logs (L1). Loaded on first use.
import * as z from "zod/mini";
import { type AnyOperation, operations } from "../contract/index.ts";
import { pageOf } from "../contract/operation.ts";
import { parseOptions } from "../http/request.ts";
import { EventLog } from "../models/event-log.ts";
import { type Address, address, type Hex } from "../models/primitives.ts";
import { topicsOf } from "./display.ts";

/**
 * A transfer of a token, decoded from the log of its `Transfer` event. Logs have no block number,
 * and no name or decimals of the token: `accounts.mrc20Transfers` has them. A field is null if the
 * contract did not log it.
 */
export interface TokenTransfer extends EventLog {
  /** The contract of the token. */
  readonly token_address: Address;
  /** The previous holder; the zero address if tokens are minted. */
  readonly sender: Address | null;
  /** The new holder; the zero address if tokens are burned. */
  readonly receiver: Address | null;
  /** The amount in the token's smallest unit; null if a token with an id is moved. */
  readonly value: bigint | null;
  /** The id of the token; null if an amount is moved. */
  readonly token_id: bigint | null;
}

const anyHolder = z.optional(z.nullable(address));
const parties = z.object({ token: address, from: anyHolder, to: anyHolder });

/** Throws if the token or a holder is no address, because they become other parameters. */
export const checkAddresses = (addresses: z.input<typeof parties>): unknown =>
  parseOptions("Invalid parameters for tokens.transfers", parties, addresses, { operation: "L1" });

/** Splits data into 32-byte words. */
const wordsIn = (data: Hex): readonly string[] => data.slice(2).match(/.{64}/g) ?? [];

/** Decodes a transfer. Parameters that early contracts do not index are the first words of data. */
export function loggedTransfer<
  Log extends Pick<EventLog, "address" | "data" | "topic_0" | "topic_1" | "topic_2" | "topic_3">,
>(log: Log): Log & Omit<TokenTransfer, keyof EventLog> {
  const indexed = topicsOf(log).slice(1);
  const [from, to, amountOrId] = [...indexed, log.data].flatMap(wordsIn);
  const holder = (word: string | undefined): Address | null =>
    word === undefined ? null : `0x${word.slice(24)}`;
  const number = amountOrId === undefined ? null : BigInt(`0x${amountOrId}`);
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

/** L1 with decoded transfers as its records. Their fields include those of a log. */
export const tokenTransfers = operation as typeof operations.L1;
