// All transfers of a token, read from its event logs (L1): the specification lists transfers by account only.
import * as z from "zod/mini";
import { type AnyOperation, operations } from "../contract/index.ts";
import { pageOf } from "../contract/operation.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { paged } from "../lists/paged-request.ts";
import { EventLog } from "../models/event-log.ts";
import { isAddress } from "../models/hex.ts";
import type { Address, Hash, Hex } from "../models/primitives.ts";
import { topicsOf } from "./display.ts";
import type { ListRequest } from "./pages.ts";
import type { TokenTransfersQuery } from "./queries.ts";

/**
 * A transfer of a token: the log of its `Transfer` event (specification 2.12), decoded. An event log has no block number, and says nothing of the
 * token: see `accounts.mrc20Transfers` for those. What the contract did not log is null.
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

/** Transfer(address,address,uint256), of MRC20 and MRC721 alike. */
const TRANSFER: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The 32-byte words of a text. */
const wordsIn = (data: Hex): readonly string[] => data.slice(2).match(/.{64}/g) ?? [];

/** The log of a transfer, decoded. Early contracts index fewer parameters: those are the first words of the data. */
function transferOf(log: EventLog): TokenTransfer {
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

/** L1 with transfers in place of logs. */
const transfers: AnyOperation = {
  ...operations.L1,
  results: pageOf(z.pipe(EventLog, z.transform(transferOf))),
};

/** An address as a topic. Anything else is left as it is: the check of the parameters reports it. */
const topicOf = (address: Address | null | undefined) =>
  isAddress(address) ? (`0x${address.slice(2).padStart(64, "0")}` as const) : address;

/** Creates the request for the transfers of a token. */
export function tokenTransfers(
  call: Call,
  token: Address,
  { from, to, ...query }: TokenTransfersQuery,
  options: RequestOptions | undefined,
): ListRequest<TokenTransfer> {
  const topics = { topic_0: TRANSFER, topic_1: topicOf(from), topic_2: topicOf(to) };
  // An operation like L1, whose records are logs with more fields.
  const operation = transfers as typeof operations.L1;
  const input = { ...query, ...topics, address: token };
  return paged(call, operation, input, options) as ListRequest<TokenTransfer>;
}
