// The transfers of a contract in its logs: all of them, or the last one of a token id.
import { wordOf } from "./hex.ts";
import type { History } from "./history.ts";
import { items } from "./listing.ts";
import type { Address, Hash, Log, TokenStandard } from "./records.ts";
import {
  CONSECUTIVE_TOPIC,
  TRANSFER_TOPIC,
  type TransferEvent,
  transferIn,
} from "./transfer-event.ts";

/** All logs that may be transfers, in chain order. */
export function* transferLogs(history: History, address: Address): Generator<Log> {
  const ordinary = withTopics(history, address, [TRANSFER_TOPIC]);
  let at = 0;
  for (const consecutive of items(withTopics(history, address, [CONSECUTIVE_TOPIC]))) {
    for (; at < ordinary.count && isBefore(ordinary.at(at), consecutive); at++)
      yield ordinary.at(at);
    yield consecutive;
  }
  for (; at < ordinary.count; at++) yield ordinary.at(at);
}

const withTopics = (history: History, address: Address, topics: readonly (Hash | undefined)[]) =>
  history.logs({ address, topics, operand: "and" });

/** Finds the last transfer of a contract's token id; undefined if it has none. */
export function lastTransfers(
  history: History,
  address: Address,
): (id: bigint, standard: TokenStandard | undefined) => TransferEvent | undefined {
  const consecutive = withTopics(history, address, [CONSECUTIVE_TOPIC]);
  return (id, standard) => {
    const isOfId = (event: Pick<TransferEvent, "standard" | "value" | "count">) =>
      event.standard === standard && event.value <= id && id < event.value + BigInt(event.count);
    const topics =
      standard === undefined
        ? [TRANSFER_TOPIC as Hash]
        : [TRANSFER_TOPIC as Hash, undefined, undefined, wordOf(id)];
    if (consecutive.count === 0) return history.lastTransfer({ address, topics }, isOfId);
    const ofId = (log: Log): TransferEvent | undefined => {
      const event = transferIn(log);
      return event && isOfId(event) ? event : undefined;
    };
    const [one, several] = [withTopics(history, address, topics), consecutive].map((logs) => {
      for (let index = logs.count - 1; index >= 0; index--) {
        const log = logs.at(index);
        if (ofId(log) !== undefined) return log;
      }
      return undefined;
    });
    const last = one && several && isBefore(one, several) ? several : (one ?? several);
    return last && ofId(last);
  };
}

/** Whether a log is before another one in the chain. */
function isBefore(one: Log, other: Log): boolean {
  const blocks = one.transaction.block.number - other.transaction.block.number;
  return blocks < 0 || (blocks === 0 && one.index < other.index);
}
