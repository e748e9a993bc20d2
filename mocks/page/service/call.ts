// Sends an operation with one `fetch`, and decodes the response as the client does.
import type {
  AnyOperation,
  OperationInput,
  OperationResults,
} from "../../../src/contract/index.ts";
import { ConnectionError, TimeoutError } from "../../../src/errors/connection.ts";
import { checkParameters, type PreparedRequest, prepare } from "../../../src/http/request.ts";
import { decodeOther, decodeValid, parseResponse } from "../../../src/http/response.ts";
import { keyToSend } from "../store.ts";

/** Timeout in milliseconds. It is short, because a person is waiting. */
const TIMEOUT = 8000;

/** Redacts nothing: the page itself has every secret in the errors of its own service. */
const redact = (text: string): string => text;

/** Builds a request to this service. Throws an error that lists the invalid parameters. */
export const pageRequest = (operation: AnyOperation, input: unknown): PreparedRequest =>
  prepare(location.origin, operation, checkParameters(operation, input));

/** One request and its response: as received, and decoded. */
export interface Attempt {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Body as received. */
  readonly text: string;
  readonly results?: unknown;
  /** The error that the client would throw. */
  readonly error?: Error;
}

/** Sends a prepared request to this service and decodes the response. Never rejects. */
export async function sendRequest(
  request: PreparedRequest,
  headers: Readonly<Record<string, string>> = {},
  limit = TIMEOUT,
): Promise<Attempt> {
  const { operation, url, body } = request;
  const { id, name, method } = operation;
  const context = () => ({ operation: id, operationName: name, method, url });
  const type = body === undefined ? {} : { "content-type": "application/json" };
  let [status, text] = [0, ""];
  try {
    const response = await fetch(url, {
      method,
      headers: { "api-key": keyToSend(), ...headers, ...type },
      body: body ?? null,
      signal: AbortSignal.timeout(limit),
    });
    status = response.status;
    text = await response.text();
    const received = { response, text, redact, attempts: 1 };
    const results = await parseResponse(operation, received, context);
    const decoded =
      decodeValid(operation, request, results) ??
      (await decodeOther(operation, request, { ...received, results }, { validation: "strict" }));
    return { status, text, results: decoded };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (isTimeout) return { status, text, error: new TimeoutError("attempt", limit, context()) };
    if (error instanceof Error && !(error instanceof TypeError)) return { status, text, error };
    // `fetch` rejects with a TypeError for every kind of network failure.
    const cause = { ...context(), cause: error };
    return { status, text, error: new ConnectionError("Connection failed", cause) };
  }
}

/** Returns the decoded results of an operation. Throws the error that the client would throw. */
export async function askOperation<Op extends AnyOperation>(
  operation: Op,
  input: OperationInput<Op>,
  headers?: Readonly<Record<string, string>>,
): Promise<OperationResults<Op>> {
  const { results, error } = await sendRequest(pageRequest(operation, input), headers);
  if (error !== undefined) throw error;
  // The types do not relate an operation to its decoded results.
  return results as OperationResults<Op>;
}
