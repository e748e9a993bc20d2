// The Transfer event of tokens in the three forms that contracts emit, and ERC-2309's event for
// many ids at once.
import { addressInWord, WORD_DIGITS, ZERO_ADDRESS } from "./hex.ts";
import type { Address, Hash, Log, TokenStandard } from "./records.ts";

export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** `ConsecutiveTransfer(uint256,uint256,address,address)` of ERC-2309. */
export const CONSECUTIVE_TOPIC =
  "0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d";

export const transferTopics: readonly Hash[] = [TRANSFER_TOPIC, CONSECUTIVE_TOPIC];

/**
 * Maximum number of token ids in a ConsecutiveTransfer, because an event can name 2^256 ids at no
 * cost, and the ledger stores an owner for each. Libraries mint at most 5,000 at once.
 */
const MAX_CONSECUTIVE = 10_000;

export interface TransferEvent {
  /**
   * Follows from the number of topics. Undefined if nothing is indexed, because then only the
   * contract can tell.
   */
  readonly standard: TokenStandard | undefined;
  readonly from: Address;
  readonly to: Address;
  /** The amount, or the first token id. */
  readonly value: bigint;
  /** The number of token ids in a row; 1 unless the event is a ConsecutiveTransfer. */
  readonly count: number;
}

/**
 * The standard of a Transfer event by its numbers of topics and words of data. Null if nothing is
 * indexed, undefined if the event has another form.
 */
function standardOf(topics: number, words: number): TokenStandard | null | undefined {
  if (topics === 4 && words === 0) return "mrc721";
  if (topics === 3 && words === 1) return "mrc20";
  return topics === 1 && words === 3 ? null : undefined;
}

export interface TransferredLog {
  readonly log: Log;
  readonly event: TransferEvent;
}

export function transferIn({
  topics,
  data,
}: Pick<Log, "topics" | "data">): TransferEvent | undefined {
  if (topics[0] === CONSECUTIVE_TOPIC) return consecutive(topics, data);
  if (topics[0] !== TRANSFER_TOPIC) return undefined;
  const standard = standardOf(topics.length, (data.length - 2) / WORD_DIGITS);
  if (standard === null) return notIndexed(data);
  const [, from, to, id = data] = topics;
  if (standard === undefined || from === undefined || to === undefined) return undefined;
  return {
    standard,
    from: addressInWord(from),
    to: addressInWord(to),
    value: BigInt(id),
    count: 1,
  };
}

function notIndexed(data: string): TransferEvent {
  const word = (index: number) =>
    data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS);
  const [from, to, value] = [word(0), word(1), word(2)];
  return {
    standard: undefined,
    from: addressInWord(from),
    to: addressInWord(to),
    value: BigInt(`0x${value}`),
    count: 1,
  };
}

function consecutive(
  [, first, from, to]: Log["topics"],
  last: Log["data"],
): TransferEvent | undefined {
  if (first === undefined || from === undefined || to === undefined) return undefined;
  if (last.length - 2 !== WORD_DIGITS) return undefined;
  const value = BigInt(first);
  const count = BigInt(last) - value + 1n;
  if (count < 1n || count > MAX_CONSECUTIVE) return undefined;
  const parties = { from: addressInWord(from), to: addressInWord(to) };
  return { standard: "mrc721", ...parties, value, count: Number(count) };
}

/** The transfer of the token id at position `nth` of an event, 0 <= nth < count. */
export const transferOf = (event: TransferEvent, nth: number): TransferEvent =>
  event.count === 1 ? event : { ...event, value: event.value + BigInt(nth), count: 1 };

/** The owner of a token id after its transfer; undefined if the transfer burnt it. */
export const ownerAfter = ({ to }: TransferEvent): Address | undefined =>
  to === ZERO_ADDRESS ? undefined : to;
