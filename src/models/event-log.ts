// Event logs (specification 2.12).
import * as z from "zod/mini";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, hash, hex, integer, orNull, text, timestamp } from "./primitives.ts";

/** An event log entry (specification 2.12). */
export const EventLog = model({
  timestamp,
  /** The emitting contract. */
  address,
  data: hex,
  /** The first four bytes of `topic_0`; null without topics. */
  method: orNull(hex),
  transaction_hash: hash,
  /** Null if the log is not decoded. */
  log_name: orNull(text),
  /** Null if the log is not decoded. */
  log_abi: orNull(z.unknown()),
  address_type: orNull(z.unknown()),
  address_extra: orNull(z.unknown()),
  transaction_index: integer,
  log_index: integer,
  topics_count: integer,
  topic_0: orNull(hash),
  topic_1: orNull(hash),
  topic_2: orNull(hash),
  topic_3: orNull(hash),
});
export interface EventLog extends Decoded<typeof EventLog> {}
export type EventLogWire = Encoded<typeof EventLog>;
