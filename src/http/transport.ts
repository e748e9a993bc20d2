// The way to the service and back: one call of an operation, answered by the cache, by an equal call under way, or by the service.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import type { ApiKeyProvider } from "./api-key.ts";
import type { Cache } from "./cache.ts";
import type { Call, RequestOptions, ResponseWithData } from "./call.ts";
import { decode, type Validation } from "./decode.ts";
import { InFlightRequests } from "./dedupe.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { Instrumentation } from "./hooks.ts";
import type { RateLimit } from "./rate-limiter.ts";
import { type PreparedRequest, prepare } from "./request.ts";
import { checkOptions } from "./request-options.ts";
import type { RetryPolicy } from "./retry.ts";
import { createSend } from "./send.ts";

/** Everything the transport needs to know, defaults filled in. */
export interface TransportSettings {
  readonly baseUrl: URL;
  readonly apiKey: ApiKeyProvider;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number | undefined;
  readonly totalTimeout: number | undefined;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly rateLimit: RateLimit | undefined;
  readonly dedupe: boolean;
  readonly cache: Cache | undefined;
  readonly maxResponseBytes: number;
  readonly validation: Validation;
  readonly instrumentation: Instrumentation;
}

export function createTransport(settings: TransportSettings): Call {
  const { cache, instrumentation: watch } = settings;
  const base = settings.baseUrl.href.replace(/\/+$/, "");
  const send = createSend(settings);
  const shared = new InFlightRequests<ParsedResponse>();

  return async function call<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options: RequestOptions = {},
  ): Promise<ResponseWithData<OperationResults<Op>>> {
    const request = prepare(base, operation, input);
    checkOptions(options);
    options.signal?.throwIfAborted();
    const kept = await cache?.get(request, options.signal);
    const received = kept ?? (await ask(request, options));
    const data = decode(operation, request, received, settings.validation, watch);
    if (!kept) await cache?.keep(request, received.results, data, options.signal);
    return { data, response: received.response };
  };

  /** Asks the service, or joins who is asking the same just now. */
  function ask(request: PreparedRequest, options: RequestOptions): Promise<ParsedResponse> {
    const { signal, dedupe = settings.dedupe, ...others } = options;
    if (!dedupe || request.operation.method !== "GET") return send(request, options);
    return shared.join(JSON.stringify([request.url, others]), signal, (end) =>
      send(request, { ...others, signal: end }),
    );
  }
}
