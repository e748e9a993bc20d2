// The function that calls an operation, its options and its result: what the transport offers to
// the rest of the client.
import type {
  AnyOperation,
  OperationInput,
  OperationResults,
  RecordList,
} from "../contract/index.ts";
import type { WriteLog } from "./hooks.ts";

/**
 * Options of one request; they override the client's.
 *
 * @example
 * const balance = await explorer.accounts.balance(address, { timeout: 5_000, signal:
 * AbortSignal.timeout(20_000) });
 */
export interface RequestOptions {
  /**
   * Aborts the request at any stage; it rejects with the signal's own reason.
   *
   * @example
   * await explorer.accounts.balance(address, { signal: AbortSignal.timeout(20_000) });
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt, including its body; then it fails with a {@link TimeoutError} or
   * is retried.
   *
   * @default the client's `timeout`: 15_000, for `contracts.verify` 90_000
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds for the whole call: waiting for a slot, attempts and pauses between them.
   *
   * @default the client's `totalTimeout`: no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * How often to retry transient failures: connection errors, timeouts, 408, 429 and 5xx. 0 never
   * retries.
   *
   * @default the client's `retry`: 3
   */
  readonly retry?: number | undefined;
  /**
   * Shares the response of an identical GET that is in flight. Disable it to force a separate
   * request.
   *
   * @default true
   */
  readonly dedupe?: boolean | undefined;
  /**
   * Additional headers. `api-key` is rejected: set the client's `apiKey`.
   *
   * @example
   * await explorer.accounts.balance(address, { headers: { "x-request-id": crypto.randomUUID() } });
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Further options for `fetch`, added to the client's: `cache`, `credentials`, Next.js's `next`,
   * undici's `dispatcher`. A call with options of its own shares no response (`dedupe`).
   *
   * @example
   * await explorer.accounts.balance(address, { fetchOptions: { next: { revalidate: 60 } } });
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** A result with its HTTP response, whatever the `fetch` that received it. */
export interface ResponseWithData<Data> {
  /** The result of the method. */
  readonly data: Data;
  /** The HTTP response. Its body is the text that was read. */
  readonly response: Response;
}

/**
 * The promise of a result. `.withResponse()` resolves to the result with its HTTP response.
 *
 * @example
 * const { data, response } = await explorer.blocks.get(90n).withResponse();
 * console.log(data.reward, response.headers.get("date"));
 */
export interface ResultPromise<Data> extends Promise<Data> {
  withResponse(): Promise<ResponseWithData<Data>>;
}

/** Options of a call inside the client. */
export interface CallOptions extends RequestOptions {
  /**
   * Whether a call that begins in a pause after a 429 waits as long as a retry, not only as long as
   * `timeout`: a list or a batch that it is part of should not break off.
   */
  readonly isPatient?: boolean | undefined;
  /**
   * Whether input and options have been checked: the input is in its wire form, as that of all
   * pages of a list.
   */
  readonly isChecked?: boolean | undefined;
}

/** The function that calls operations. */
export interface Call {
  /**
   * Calls an operation: checks the input, sends the request with retries and rate limit, and
   * decodes the response (R1 to R10).
   */
  <Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options?: CallOptions,
  ): Promise<ResponseWithData<OperationResults<Op>>>;
  readonly checksum?: boolean;
  /** The list of an operation, as the explorer's dialect has it. */
  readonly listOf?: (operation: AnyOperation) => Promise<RecordList | undefined>;
  /** The fewest milliseconds between two polls of a watch. */
  readonly minPollInterval?: number;
  readonly log?: WriteLog;
}
