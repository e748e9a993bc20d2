// The service's request and response, free of any transport's classes.
import { envelopeBefore } from "../../src/contract/envelope.ts";

/** The parts of a request that the service reads. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query below the base address: `/v1/blocks/7`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Transports may stop reading one byte after `maxBodyBytes`. */
  readonly body?: Uint8Array | undefined;
  /** Aborts when the caller no longer waits for the response. */
  readonly signal?: AbortSignal | undefined;
}

/** How a transport sends a response that a fault breaks or slows down. */
export type Delivery =
  /** Headers for the whole body; the connection ends after `bytes` of it. */
  | { readonly kind: "truncated"; readonly bytes: number }
  /** The body arrives slowly: `bytes` at a time, `everyMs` apart. */
  | { readonly kind: "drip"; readonly bytes: number; readonly everyMs: number }
  /** The connection breaks before the first byte. */
  | { readonly kind: "reset" }
  /** No response, ever. */
  | { readonly kind: "never" };

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Bytes to send in place of the body: its compressed form, as `content-encoding` says, or binary
   * content.
   */
  readonly bytes?: Uint8Array | undefined;
  /** Whether another server wrote the response. On a port, its headers pass an allow-list. */
  readonly isForeign?: boolean;
  readonly delivery?: Delivery | undefined;
  /** The message of an error, as in its envelope. */
  readonly message?: string | undefined;
}

/** Responds to requests. */
export type Respond = (request: ServiceRequest) => Promise<ServiceResponse> | ServiceResponse;

/**
 * The largest request body in bytes (S1): 1 MiB of source in base64 with line breaks, and room for
 * the other fields.
 */
export const MAX_BODY_BYTES = 1.5 * 1024 * 1024;

/**
 * Maximum number of values in the JSON of a body. An operation has at most 30, and a list of
 * libraries.
 */
export const MAX_BODY_VALUES = 2000;

/** Maximum number of values in the JSON that the admin API and tools accept. */
export const MAX_JSON_VALUES = 10_000;

/**
 * Headers of most responses. They share this object, so that the port recognises them and sends
 * prepared headers.
 */
export const jsonHeaders = { "content-type": "application/json" } as const;

/**
 * JSON in which bigints are decimal strings, as everywhere on the wire; undefined where JSON has no
 * form for the value.
 */
export const decimalJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));

const SUCCESS = envelopeBefore(200);

/** An error in the envelope of S1. */
export const errorResponse = (
  status: number,
  message: string,
  results: unknown = null,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse => ({
  status,
  headers: { ...jsonHeaders, ...headers },
  body: `${envelopeBefore(status, message)}${JSON.stringify(results)}}`,
  message,
});

/** The response to an error of the explorer itself: logged here, without details for the caller. */
export function internalError(error: unknown): ServiceResponse {
  console.error("mrc-explorer: internal error:", error);
  return errorResponse(500, "internal error");
}

/** A success: the JSON of its results in the envelope, or bare (A6). */
export const successResponse = (results: string, enveloped: boolean): ServiceResponse => ({
  status: 200,
  headers: jsonHeaders,
  body: enveloped ? `${SUCCESS}${results}}` : results,
});
