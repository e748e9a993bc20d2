// What passes through every door: a question, and the reply to it, without a class of any transport.
import type { OperationId } from "../src/contract/index.ts";

/** A request, as far as the service looks at it. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query below the base address: `/v1/blocks/7`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** At most one byte more than the service takes need be read. */
  readonly body?: Uint8Array | undefined;
  /** Says that nobody waits for the reply any more. */
  readonly signal?: AbortSignal | undefined;
}

/** How a body leaves, where it does not simply leave. */
export type Delivery =
  /** The headers promise the whole body, the connection ends after `bytes` of it. */
  | { readonly kind: "truncated"; readonly bytes: number }
  /** `bytes` at a time, a pause between them. */
  | { readonly kind: "drip"; readonly bytes: number; readonly everyMs: number }
  /** The connection breaks before a byte of the reply. */
  | { readonly kind: "reset" }
  /** Nothing ever comes. */
  | { readonly kind: "never" };

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delivery?: Delivery | undefined;
  /** The operation that was answered, where one was. */
  readonly operation?: OperationId | undefined;
  /** What the envelope of a refusal says. */
  readonly message?: string | undefined;
}

/** The largest body the service takes (S1). */
export const maxBodyBytes = 1024 * 1024;

const jsonHeaders = { "content-type": "application/json" } as const;

/** The envelope of section 1. */
const envelope = (status: number, message: string, results: unknown): string =>
  JSON.stringify({ status: `${status}`, message, results });

/** An answer that is not a success, in the envelope of S1. */
export const errorResponse = (
  status: number,
  message: string,
  results: unknown = null,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse => ({
  status,
  headers: { ...jsonHeaders, ...headers },
  body: envelope(status, message, results),
  message,
});

/** A success: the results in their envelope, or bare (A6). */
export const successResponse = (results: unknown, enveloped: boolean): ServiceResponse => ({
  status: 200,
  headers: jsonHeaders,
  body: enveloped ? envelope(200, "success", results) : JSON.stringify(results),
});
