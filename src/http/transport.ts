// One call from top to bottom: prepare the request, look into the cache, join an identical request or send, decode.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import { ParameterError } from "../errors/index.ts";
import { UNKNOWN } from "../models/check.ts";
import { deepFreeze } from "../models/json.ts";
import { copyOf } from "./attempt.ts";
import { baseOf } from "./base-url.ts";
import type { Call, CallOptions, ResponseWithData } from "./call.ts";
import { InFlightRequests } from "./dedupe.ts";
import type { ParsedResponse } from "./fetch.ts";
import {
  CheckedInput,
  checkParameters,
  invalidFor,
  type PreparedRequest,
  prepare,
} from "./request.ts";
import { checkOptions } from "./request-options.ts";
import { decode, decodeValid } from "./response.ts";
import { send } from "./send.ts";
import type { TransportSettings } from "./transport-settings.ts";

/** Hexadecimal digits in upper and lower case: perhaps an address, whose case is a checksum. */
const MIXED_CASE = /0x(?:[\dA-F]*[a-f][\da-f]*[A-F]|[\da-f]*[A-F][\dA-F]*[a-f])/;

/** The transport of one client. */
export function createTransport(settings: TransportSettings): Call {
  const base = baseOf(settings.baseUrl);
  const inFlight = new InFlightRequests<ParsedResponse>((received) => {
    deepFreeze(received.results);
    return { ...received, response: copyOf(received.response) };
  });

  async function call<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op> | CheckedInput,
    options: CallOptions = {},
  ): Promise<ResponseWithData<OperationResults<Op>>> {
    const speak = settings.dialect && (await settings.dialect()).speak;
    let request: PreparedRequest;
    try {
      request = prepare(base, operation, input, speak);
    } catch (error) {
      return rethrow(error, operation, input);
    }
    // The options of a list are checked with its parameters.
    if (!(input instanceof CheckedInput)) checkOptions(operation, options);
    options.signal?.throwIfAborted();
    if (settings.checksum && MIXED_CASE.test(request.url + (request.body ?? ""))) {
      const { checkChecksums } = await import("./checksums.ts");
      checkChecksums(invalidFor(operation), request.wire, { operation: operation.id });
    }
    const cache = settings.cache && (await settings.cache());
    const cached = cache && (await cache.get(request, options.signal));
    if (cached) {
      // What is stored may be anything.
      const data = decodeValid(operation, request, cached.results);
      deepFreeze(data && cached.results);
      if (data) return { data, response: cached.response };
    }
    const received = await fetchOnce(request, options);
    const data = await decode(operation, request, received, settings);
    if (cache) await cache.set(request, received.results, data, options.signal);
    return { data, response: received.response };
  }
  const { checksum, dialect } = settings;
  const listOf = async (operation: AnyOperation) =>
    (await dialect?.())?.speak(operation)?.operation.list;
  return Object.assign(call, {
    log: settings.instrumentation.log,
    checksum,
    ...(dialect && { listOf }),
  });

  /** Joins an identical GET that is in flight, or sends the request. */
  function fetchOnce(request: PreparedRequest, options: CallOptions): Promise<ParsedResponse> {
    const { signal, dedupe = settings.dedupe, fetchOptions, ...others } = options;
    // Options of `fetch` may be objects, such as a dispatcher, that cannot be compared.
    if (!dedupe || fetchOptions || request.operation.method !== "GET")
      return send(request, options, settings);
    const { timeout, totalTimeout, retry, headers } = others;
    const key = JSON.stringify([request.url, timeout, totalTimeout, retry, headers]);
    return inFlight.join(key, signal, (shared) =>
      send(request, { ...others, signal: shared }, settings),
    );
  }
}

/**
 * Throws the error of an invalid input, with what was expected even if the schema does not say it, as with zod's own schemas in a caller's
 * operation. The code that describes those is then loaded.
 */
async function rethrow(error: unknown, operation: AnyOperation, input: unknown): Promise<never> {
  if (error instanceof ParameterError && error.issues.some((one) => one.expected === UNKNOWN)) {
    const code = await import("./invalid.ts").catch(() => undefined);
    checkParameters(operation, input, code?.check);
  }
  throw error;
}
