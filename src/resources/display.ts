// Helpers for programs that show records: compare addresses, format amounts, list a log's topics.
import { ParameterError } from "../errors/index.ts";
import type { EventLog } from "../models/event-log.ts";
import { isAddress } from "../models/hex.ts";
import type { Address, Hash } from "../models/primitives.ts";

/** The topic of `Transfer(address,address,uint256)`, the same for MRC20 and MRC721. */
export const TRANSFER: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * Pads an address to a topic, because an indexed address is 32 bytes in a log. Returns any other
 * value unchanged, because the check of the parameters reports it.
 */
export const paddedTopic = <Value>(value: Value) =>
  isAddress(value) ? (`0x${value.slice(2).padStart(64, "0")}` as const) : value;

/**
 * Returns whether two addresses are the same, ignoring case, because some services send lower case
 * and some the mixed case of a checksum. Returns false if either is missing.
 *
 * @example
 * const { data } = await explorer.accounts.transactions(address);
 * const incoming = data.filter(({ receiver }) => sameAddress(receiver, address));
 */
export const sameAddress = (
  left: Address | null | undefined,
  right: Address | null | undefined,
): boolean =>
  typeof left === "string" &&
  typeof right === "string" &&
  left.toLowerCase() === right.toLowerCase();

/** Whether a number can be the decimals of a token, which are a uint8. */
export const isDecimals = (decimals: number): boolean =>
  Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;

/**
 * Formats an amount in the smallest unit as an exact decimal number, like viem's `formatUnits`.
 * Pass the `decimals` of the token, or 18 for the native coin. If they are null, because the
 * service does not know them, the amount stays in the smallest unit.
 *
 * @throws {@link ParameterError} if the amount is no bigint, or `decimals` no integer from 0 to 255.
 * @example
 * formatTokenAmount(75_500_000n, 6); // "75.5"
 * for await (const { value, token_decimals, token_symbol } of explorer.accounts.mrc20Transfers(address))
 *   console.log(formatTokenAmount(value, token_decimals), token_symbol ?? "");
 */
export function formatTokenAmount(amount: bigint, decimals: number | null | undefined): string {
  const places = decimals ?? 0;
  if (typeof amount !== "bigint") {
    const issue = { path: ["amount"], expected: "a bigint, such as 75n", received: amount };
    throw new ParameterError("Invalid amount", [issue]);
  }
  if (!isDecimals(places)) {
    const issue = { path: ["decimals"], expected: "an integer from 0 to 255", received: places };
    throw new ParameterError("Invalid amount", [issue]);
  }
  const digits = `${amount < 0n ? -amount : amount}`.padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(whole.length).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/**
 * Returns the topics of a log as a list, in the form that viem and ox accept. The list is empty for
 * an anonymous log without topics.
 *
 * @example
 * const abi = await explorer.contracts.abi(token);
 * for await (const log of explorer.eventLogs.list({ address: token, topic_0: transferTopic }))
 *   console.log(decodeEventLog({ abi, data: log.data, topics: topicsOf(log) }));
 */
export function topicsOf(
  log: Pick<EventLog, "topic_0" | "topic_1" | "topic_2" | "topic_3">,
): [Hash, ...Hash[]] | [] {
  if (log !== Object(log)) {
    const issue = { path: ["log"], expected: "an event log", received: log };
    throw new ParameterError("Invalid event log", [issue]);
  }
  const [first, ...others] = [log.topic_0, log.topic_1, log.topic_2, log.topic_3].filter(
    (topic) => typeof topic === "string",
  );
  return first === undefined ? [] : [first, ...others];
}
