// Event logs of a contract, by block range and topics (L1).
import type { EventLogWire } from "../../src/models/event-log.ts";
import type { ContractVerification, Log } from "../chain/records.ts";
import { decimal, lower, newestFirst, range, time } from "./format.ts";
import type { OperationArgumentsOf, OperationHandler } from "./handler.ts";
import { eventOf } from "./verified-abi.ts";

/** Returns the topics to filter by, in order; for `single`, only the first topic (S15). */
function topicsOf({ type, topic_0, topic_1, topic_2, topic_3 }: OperationArgumentsOf<"L1">) {
  const topics = [topic_0, topic_1, topic_2, topic_3].map((topic) => topic && lower(topic));
  const first = topics.findIndex((topic) => topic !== undefined);
  return type === "single" ? topics.slice(0, first + 1) : topics;
}

/**
 * `method` is the first four bytes of the first topic (S15); a log of a verified contract has the
 * name of its event (S22).
 */
const eventLog =
  (contract: ContractVerification | undefined) =>
  (log: Log): EventLogWire => {
    const { transaction, address, data, index, topics } = log;
    const event = contract && eventOf(contract, log);
    return {
      timestamp: time(transaction.block.timestamp),
      address,
      data,
      method: topics[0] === undefined ? null : `0x${topics[0].slice(2, 10)}`,
      transaction_hash: transaction.hash,
      log_name: event?.name ?? null,
      log_abi: event?.abi ?? null,
      address_type: null,
      address_extra: null,
      transaction_index: decimal(transaction.index),
      log_index: decimal(index),
      topics_count: decimal(topics.length),
      topic_0: topics[0] ?? null,
      topic_1: topics[1] ?? null,
      topic_2: topics[2] ?? null,
      topic_3: topics[3] ?? null,
    };
  };

export const L1: OperationHandler<"L1"> = (chain, parameters) => {
  const filter = {
    ...range(parameters),
    address: lower(parameters.address),
    topics: topicsOf(parameters),
    operand: parameters.operand,
  };
  const logs = chain.logs(filter);
  const contract = chain.verified(filter.address);
  return newestFirst(logs, parameters, eventLog(contract));
};
