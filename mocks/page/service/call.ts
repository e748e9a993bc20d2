// Asks an operation of this service by one `fetch`, decoded by its schema: what the page needs first, without the rest of a client.
import type {
  AnyOperation,
  OperationInput,
  OperationResults,
} from "../../../src/contract/index.ts";
import { ConnectionError, TimeoutError } from "../../../src/errors/connection.ts";
import { checkParameters, prepare } from "../../../src/http/request.ts";
import { decodeOther, decodeValid, parseResponse } from "../../../src/http/response.ts";

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Somebody waits: a service that takes longer is shown as one that does not respond. */
const PATIENCE = 8000;

/** An error of this page's own service holds no secret that the page does not have. */
const redact = (text: string): string => text;

/** The results of an operation, decoded. */
export async function askOperation<Op extends AnyOperation>(
  operation: Op,
  input: OperationInput<Op>,
  { signal, headers = {} }: AskOptions = {},
): Promise<OperationResults<Op>> {
  const request = prepare(location.origin, operation, checkParameters(operation, input));
  const { method } = operation;
  const context = () => ({
    operation: operation.id,
    operationName: operation.name,
    method,
    url: request.url,
  });
  const timeout = AbortSignal.timeout(PATIENCE);
  try {
    const response = await fetch(request.url, {
      method,
      headers:
        request.body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: request.body ?? null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const read = { response, text: await response.text(), redact, attempts: 1 };
    const results = parseResponse(operation, read, context);
    const decoded = decodeValid(operation, request, results);
    if (decoded !== undefined) return decoded;
    return await decodeOther(operation, request, { ...read, results }, { validation: "strict" });
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new TimeoutError("attempt", PATIENCE, context());
    // What `fetch` itself rejects with.
    if (error instanceof TypeError)
      throw new ConnectionError("Connection failed", { ...context(), cause: error });
    throw error;
  }
}
