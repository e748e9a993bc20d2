// The Transfer event of tokens, in the three forms in which contracts emit it.
import { addressInWord, WORD_DIGITS, ZERO_ADDRESS } from "./hex.ts";
import type { Address, Log, TokenStandard } from "./records.ts";

export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export interface TransferEvent {
  /** Follows from the number of topics (S16); undefined if nothing is indexed: only the contract can say. */
  readonly standard: TokenStandard | undefined;
  readonly from: Address;
  readonly to: Address;
  /** The amount, or the token id. */
  readonly value: bigint;
}

/** The fields of a log that say what it transfers, of which token. */
export type TransferLog = Pick<Log, "address" | "topics" | "data">;

/** The transfer a log records, if any. */
export function transferIn({
  topics,
  data,
}: Pick<Log, "topics" | "data">): TransferEvent | undefined {
  if (topics[0] !== TRANSFER_TOPIC) return undefined;
  const [, from, to, id] = topics;
  const words = (data.length - 2) / WORD_DIGITS;
  if (from === undefined) return words === 3 ? notIndexed(data) : undefined;
  if (to === undefined) return undefined;
  const parties = { from: addressInWord(from), to: addressInWord(to) };
  if (id !== undefined && words === 0) return { standard: "mrc721", ...parties, value: BigInt(id) };
  if (id === undefined && words === 1)
    return { standard: "mrc20", ...parties, value: BigInt(data) };
  return undefined;
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
  };
}

/** The owner of a token id after its transfer; undefined if that burnt it. */
export const ownerAfter = ({ to }: TransferEvent): Address | undefined =>
  to === ZERO_ADDRESS ? undefined : to;
