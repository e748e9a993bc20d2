// Event logs (specification 2.12).
import * as z from "zod/mini";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, hash, hex, integer, orNull, text, timestamp } from "./primitives.ts";

/** An event log. */
export const EventLog = model({
  /** The time of the block, in UTC. */
  timestamp,
  /** The contract that emitted the log. */
  address,
  /** The ABI-encoded values that are not indexed. */
  data: hex,
  /** The first four bytes of `topic_0`; null without topics. */
  method: orNull(hex),
  /** The hash of the transaction. */
  transaction_hash: hash,
  /** The event's name; null if the log is not decoded. */
  log_name: orNull(text),
  /** The event's ABI entry; null if the log is not decoded. */
  log_abi: orNull(z.unknown()),
  /** Not specified. A public deployment sends "3" in some logs, null in others. */
  address_type: orNull(z.unknown()),
  /** Not specified. No known deployment sends another value than null. */
  address_extra: orNull(z.unknown()),
  /** The position of the transaction in its block, from 0. */
  transaction_index: integer,
  /** The position of the log in its block, from 0. */
  log_index: integer,
  /** The number of topics, 0 to 4. */
  topics_count: integer,
  /** The hash of the event's signature, unless the event is anonymous; null without topics. */
  topic_0: orNull(hash),
  /** The first indexed value, or its hash; null without one. */
  topic_1: orNull(hash),
  /** The second indexed value, or its hash; null without one. */
  topic_2: orNull(hash),
  /** The third indexed value, or its hash; null without one. */
  topic_3: orNull(hash),
});
export interface EventLog extends Decoded<typeof EventLog> {}
export type EventLogWire = Encoded<typeof EventLog>;
