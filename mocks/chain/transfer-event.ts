// The Transfer event of tokens, and the three forms in which contracts emit it.
import type { Address, Log, TokenStandard } from "./records.ts";

export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export interface TransferEvent {
  /** Decided by the number of topics (S16); undefined where nothing is indexed: the contract must be asked. */
  readonly standard: TokenStandard | undefined;
  readonly from: Address;
  readonly to: Address;
  /** The amount, or the token id. */
  readonly value: bigint;
}

const WORD = 64;

const addressIn = (word: string): Address => `0x${word.slice(-40)}`;

/** The transfer a log tells of, or undefined. */
export function transferIn({
  topics,
  data,
}: Pick<Log, "topics" | "data">): TransferEvent | undefined {
  if (topics[0] !== TRANSFER_TOPIC) return undefined;
  const [, from, to, id] = topics;
  const words = (data.length - 2) / WORD;
  if (from === undefined) return words === 3 ? notIndexed(data) : undefined;
  if (to === undefined) return undefined;
  const parties = { from: addressIn(from), to: addressIn(to) };
  if (id !== undefined && words === 0) return { standard: "mrc721", ...parties, value: BigInt(id) };
  if (id === undefined && words === 1)
    return { standard: "mrc20", ...parties, value: BigInt(data) };
  return undefined;
}

function notIndexed(data: string): TransferEvent {
  const word = (index: number) => data.slice(2 + index * WORD, 2 + (index + 1) * WORD);
  const [from, to, value] = [word(0), word(1), word(2)];
  return {
    standard: undefined,
    from: addressIn(from),
    to: addressIn(to),
    value: BigInt(`0x${value}`),
  };
}
