// The types of the transport: the function that calls an operation, its options and its result.
import type {
  AnyOperation,
  OperationInput,
  OperationResults,
  RecordList,
} from "../contract/index.ts";
import type { WriteLog } from "./hooks.ts";

/**
 * Options of one request, which override the client's options.
 *
 * @example
 * await explorer.accounts.balance(address, { timeout: 5_000, retry: 0 });
 */
export interface RequestOptions {
  /**
   * Aborts the request at any stage. The request then rejects with the signal's reason.
   *
   * @example
   * await explorer.accounts.balance(address, { signal: AbortSignal.timeout(20_000) });
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt, including the response's body. After that, the attempt fails with
   * a {@link TimeoutError} or is retried.
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
   * How often to retry transient failures: connection errors, timeouts, 408, 429 and 5xx except
   * 501. With 0, the call never retries.
   *
   * @default the client's `retry`: 3
   */
  readonly retry?: number | undefined;
  /**
   * Whether to share the response of an identical GET that is in flight, instead of sending another
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
   * undici's `dispatcher`. A call with this option shares no response (`dedupe`).
   *
   * @example
   * await explorer.accounts.balance(address, { fetchOptions: { next: { revalidate: 60 } } });
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** A result with its HTTP response. */
export interface ResponseWithData<Data> {
  /** The result of the method. */
  readonly data: Data;
  /** The HTTP response, as the platform's `Response`. You can still read its body. */
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

/** Options of a call that only the client itself sets. */
export interface CallOptions extends RequestOptions {
  /**
   * Whether a call that begins in a pause after a 429 waits as long as a retry instead of failing
   * after `timeout`. Set for the parts of a list or a batch, so that it does not break off.
   */
  readonly isPatient?: boolean | undefined;
  /** Whether the input is already in wire form, and the options are checked. */
  readonly isChecked?: boolean | undefined;
}

export interface Call {
  /** Calls an operation: checks the input, sends the request, retries, and decodes the response. */
  <Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options?: CallOptions,
  ): Promise<ResponseWithData<OperationResults<Op>>>;
  readonly checksum?: boolean;
  /** Returns the list of an operation in the explorer's dialect. */
  readonly listOf?: (operation: AnyOperation) => Promise<RecordList | undefined>;
  /** The shortest `pollInterval` of a watch, in milliseconds. */
  readonly minPollInterval?: number;
  readonly log?: WriteLog;
}
