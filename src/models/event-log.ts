// Event logs (specification 2.12).
import { recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, anything, hash, hex, integer, nullable, text, timestamp } from "./primitives.ts";

export const eventLogKind = /*#__PURE__*/ recordKind(
  {
    timestamp,
    /** The contract that emitted it. */
    address,
    data: hex,
    /** The first four bytes of `topic_0`; null without topics. */
    method: nullable(hex),
    transaction_hash: hash,
    /** Null where the log is not decoded. */
    log_name: nullable(text),
    /** Null where the log is not decoded. */
    log_abi: nullable(anything),
    address_type: nullable(anything),
    address_extra: nullable(anything),
    transaction_index: integer,
    log_index: integer,
    topics_count: integer,
    topic_0: nullable(hash),
    topic_1: nullable(hash),
    topic_2: nullable(hash),
    topic_3: nullable(hash),
  },
  "EventLog",
);
/** An event log entry (specification 2.12). */
export const EventLog = /*#__PURE__*/ model(eventLogKind);
export type EventLog = Decoded<typeof EventLog>;
export type EventLogWire = Encoded<typeof EventLog>;
