// The envelope of responses (section 1): its fields, what makes it a success (R1), and how it is
// written (S1).
import { isObject } from "../models/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** The field that holds the results. */
export const RESULTS = "results";

export interface Envelope {
  readonly status: string | undefined;
  readonly message: string | undefined;
  readonly success: boolean;
  readonly results: unknown;
  /** The text in Etherscan's place of the results. */
  readonly result: string | undefined;
}

/** A field as text, whatever its JSON type (R7). */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : undefined;

export const isEnvelope = (value: unknown): value is Json =>
  isObject(value) && "status" in value && ("message" in value || RESULTS in value);

/** Whether a value is an envelope as the specification writes it: its texts are strings. */
export const isExactEnvelope = (value: unknown): value is Json =>
  isObject(value) && typeof value.status === "string" && typeof value.message === "string";

/** Reads a body as an envelope. A field that is missing or no text is undefined. */
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
