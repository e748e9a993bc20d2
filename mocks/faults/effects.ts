// The effect of each fault on a request: a delay, a response in place of the service's, a lagging
// chain, a damaged response.

import type { OperationId } from "../../src/contract/index.ts";
import { createEncoder } from "../input/text-coding.ts";
import { keepRecent } from "../message/keep-recent.ts";
import { errorResponse, type ServiceResponse } from "../message/message.ts";
import type { Effect, FaultName, Lag, Latency } from "./fault.ts";
import type { FieldChange } from "./field.ts";
import { resultsIn, withBody } from "./response-by-hand.ts";

/** The state of a fault between requests. */
export interface FaultState {
  /** Number of requests that matched, whether or not the fault was applied. */
  matched: number;
  applied: number;
  /** Number of random numbers drawn. */
  draws: number;
  /**
   * Rate limits by api-key: the end of the last pause in milliseconds since 1970, and the number of
   * pauses.
   */
  readonly limits: Map<string, { readonly until: number; readonly pauses: number }>;
  /** Tokens left for each api-key, and the time at which they were counted. */
  readonly buckets: Map<string, { readonly tokens: number; readonly at: number }>;
  /** The newest block in the index. */
  indexed: number;
  /** Number of requests since the chain got a newer block. */
  polls: number;
}

/** The circumstances of a request that an effect may depend on. */
export interface EffectContext {
  readonly state: FaultState;
  readonly operation: OperationId;
  readonly now: number;
  readonly draw: () => number;
  readonly apiKey: string;
  /** The number of the chain's newest block. */
  readonly head: number;
}

/** The effect of one fault on one request. */
export interface FaultStep {
  readonly delayMs?: number;
  readonly response?: ServiceResponse;
  /** The last block whose records, or traces, are indexed. */
  readonly lag?: { readonly kind: "blocks" | "traces"; readonly last: number };
  /** Changes the results. */
  readonly change?: FieldChange;
  /** Changes how the response is sent, whatever its content. */
  readonly reshape?: (response: ServiceResponse) => ServiceResponse;
}

type Apply<Name extends FaultName> = (
  effect: Extract<Effect, { readonly fault: Name }>,
  context: EffectContext,
) => FaultStep | undefined;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** The 99th percentile of a normal distribution, in standard deviations. */
const Z99 = 2.3263478740408408;

/** Draws milliseconds; `median` and `p99` define a log-normal distribution. */
function latencyMs(latency: Latency, draw: () => number): number {
  if (typeof latency === "number") return latency;
  if ("from" in latency) return latency.from + (latency.to - latency.from) * draw();
  const { median, p99 } = latency;
  if (median === 0) return 0;
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return median * Math.exp((Math.log(p99 / median) / Z99) * normal);
}

/** 429 with the time until a request succeeds. */
function tooManyRequests(waitMs: number): FaultStep {
  const wait = `${seconds(waitMs)}`;
  const message = `too many requests; try again in ${wait} s`;
  return { response: errorResponse(429, message, null, { "retry-after": wait }) };
}

/** No response: the transport breaks or keeps the connection. */
const noResponse = (kind: "reset" | "never"): FaultStep => ({
  response: { status: 0, headers: {}, body: "", delivery: { kind } },
});

const page = (status: number) =>
  `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>This is not the page you are looking for.</p></body></html>\n`;

const withType = (response: ServiceResponse, type: string): ServiceResponse => ({
  ...response,
  headers: { ...response.headers, "content-type": type },
});

/** API keys whose limits are remembered, so that any number of keys cannot exhaust memory. */
const MAX_KEYS = 1000;

const encoder = createEncoder();

/** Returns a body as text, even if it is binary. */
const textOf = ({ body, bytes }: ServiceResponse): string =>
  bytes ? new TextDecoder().decode(bytes) : body;

/**
 * Makes the index lag by a number of blocks, or show a new block only after a number of requests.
 */
function lagging(kind: "blocks" | "traces") {
  return (effect: Lag, { state, head }: EffectContext): FaultStep | undefined => {
    let last: number;
    if ("blocks" in effect) last = head - effect.blocks;
    else {
      state.indexed = Math.min(state.indexed, head);
      if (state.indexed < head && ++state.polls > effect.polls) {
        state.indexed = head;
        state.polls = 0;
      }
      last = state.indexed;
    }
    return last < head ? { lag: { kind, last: Math.max(0, last) } } : undefined;
  };
}

/** The effect of each fault. A missing effect does not compile. */
const effects: { readonly [Name in FaultName]: Apply<Name> } = {
  latency: ({ ms }, { draw }) => ({ delayMs: latencyMs(ms, draw) }),
  status: ({ status, message = `fault status ${status}`, headers }) => ({
    response: errorResponse(status, message, null, headers),
  }),
  failure: ({ message, results = {} }) => ({ response: errorResponse(200, message, results) }),
  "rate-limit": ({ retryAfter }, { state, now, apiKey }) => {
    const { until: before = 0, pauses = 0 } = state.limits.get(apiKey) ?? {};
    const isOver = before <= now;
    // A clock that went back does not lengthen the wait.
    const until = Math.min(isOver ? Number.POSITIVE_INFINITY : before, now + retryAfter * 1000);
    keepRecent(state.limits, apiKey, { until, pauses: isOver ? pauses + 1 : pauses }, MAX_KEYS);
    return tooManyRequests(until - now);
  },
  "token-bucket": ({ requests, perMs }, { state, now, apiKey }) => {
    const { tokens: before, at } = state.buckets.get(apiKey) ?? { tokens: requests, at: now };
    // A clock that went back takes no tokens.
    const passed = Math.max(0, now - at);
    const tokens = Math.min(requests, before + (passed * requests) / perMs);
    const bucket = { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now };
    keepRecent(state.buckets, apiKey, bucket, MAX_KEYS);
    return tokens >= 1 ? undefined : tooManyRequests(((1 - tokens) * perMs) / requests);
  },
  response: (effect, { operation }) =>
    typeof effect.body === "function"
      ? {
          // Only a success has results.
          reshape: (response) =>
            response.status === 200
              ? withBody(effect, operation, resultsIn(operation, response))
              : response,
        }
      : { response: withBody(effect, operation, undefined) },
  "malformed-json": () => ({
    reshape: (response) => ({
      ...response,
      bytes: undefined,
      body: textOf(response).replace('":', '"'),
    }),
  }),
  truncated: ({ keep = 0.5 }) => ({
    reshape: (response) => {
      // At least one byte, because MSW sends no headers before it.
      const bytes = Math.max(
        1,
        Math.floor((response.bytes ?? encoder.encode(response.body)).length * keep),
      );
      return { ...response, delivery: { kind: "truncated", bytes } };
    },
  }),
  "content-type": ({ type }) => ({ reshape: (response) => withType(response, type) }),
  html: ({ status = 200 }) => ({
    response: { status, headers: { "content-type": "text/html" }, body: page(status) },
  }),
  empty: ({ status = 200 }) => ({
    response: { status, headers: { "content-type": "application/json" }, body: "" },
  }),
  drip: ({ bytes, everyMs }) => ({
    reshape: (response) => ({ ...response, delivery: { kind: "drip", bytes, everyMs } }),
  }),
  reset: () => noResponse("reset"),
  never: () => noResponse("never"),
  field: ({ fault: _, ...change }) => ({ change }),
  stale: lagging("blocks"),
  "pending-traces": lagging("traces"),
};

/** Returns the effect of a fault on a request; undefined if it has none this time. */
export const effectOf = <Name extends FaultName>(
  effect: Extract<Effect, { readonly fault: Name }>,
  context: EffectContext,
): FaultStep | undefined => (effects[effect.fault as Name] as Apply<Name>)(effect, context);
