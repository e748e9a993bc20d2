// The envelope of responses (section 1): reads it, tells success from failure (R1), and writes it
// (S1).
import { isObject } from "../models/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** The field that holds the results. */
export const RESULTS = "results";

export interface Envelope {
  readonly status: string | undefined;
  readonly message: string | undefined;
  readonly success: boolean;
  readonly results: unknown;
  /** The reason of an error in Etherscan's envelope. */
  readonly result: string | undefined;
}

/** Reads a field as text, even if it is a number (R7). */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : undefined;

export const isEnvelope = (value: unknown): value is Json =>
  isObject(value) && "status" in value && ("message" in value || RESULTS in value);

/** Whether a value is an envelope in the specified form, with strings as status and message. */
export const isExactEnvelope = (value: unknown): value is Json =>
  isObject(value) && typeof value.status === "string" && typeof value.message === "string";

/** Reads a body as an envelope. A field is undefined if it is missing or not a text. */
export function readEnvelope(body: unknown): Envelope {
  const json: Json = Object(body);
  const status = textOf(json.status);
  const message = textOf(json.message);
  const success = status === "200" && message?.toLowerCase() === "success";
  return { status, message, success, results: json[RESULTS], result: textOf(json.result) };
}

/** Begins the JSON of an envelope. The caller appends the results and `}`. */
export const envelopeBefore = (status: number, message = "success"): string =>
  `{"status":"${status}","message":${JSON.stringify(message)},"${RESULTS}":`;
