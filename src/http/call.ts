// What the transport offers to the rest of the client: one question to the service, and its answer.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";

/** Options of one request; they win over the client's. */
export interface RequestOptions {
  /** Ends the request, wherever it is, with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, the body included. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole request: waiting for a slot, attempts and pauses together. */
  readonly totalTimeout?: number | undefined;
  /** How often to try again after a failure that may pass; 0 for never. */
  readonly retry?: number | undefined;
  /** Whether an equal GET that is already under way answers this one too; true. */
  readonly dedupe?: boolean | undefined;
  /** Headers to send along; `api-key` cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A result with the HTTP response it came in (its body is already read). */
export interface ResponseWithData<Data> {
  readonly data: Data;
  readonly response: Response;
}

/**
 * The promise of a result; `.withResponse()` gives the HTTP response beside it.
 *
 * @example
 * const { data, response } = await explorer.blocks.get(90n).withResponse();
 * console.log(data.reward, response.headers.get("date"));
 */
export interface AnswerPromise<Data> extends Promise<Data> {
  withResponse(): Promise<ResponseWithData<Data>>;
}

/**
 * Asks one operation: checks the input against the contract, sends it, reads the answer by R1 to R10.
 * Authentication, retries, pacing and limits happen behind it.
 */
export type Call = <Op extends AnyOperation>(
  operation: Op,
  input: OperationInput<Op>,
  options?: RequestOptions,
) => Promise<ResponseWithData<OperationResults<Op>>>;
