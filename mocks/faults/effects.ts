// The effect of each fault on a request: a delay, a response in place of the service's, a lagging chain, a damaged response.
import { errorResponse, type ServiceResponse } from "../message/message.ts";
import type { Effect, FaultName, Lag, Latency } from "./fault.ts";
import type { FieldChange } from "./field.ts";

/** The state of a fault between requests. */
export interface FaultState {
  /** How many requests matched, whether or not the fault was applied. */
  matched: number;
  applied: number;
  /** How many random numbers were drawn. */
  draws: number;
  /** When the rate limit ends, in milliseconds since 1970. */
  limitedUntil: number;
  /** By api-key: the tokens left, and when they were counted. */
  readonly buckets: Map<string, { readonly tokens: number; readonly at: number }>;
  /** The newest block in the index. */
  indexed: number;
  /** The requests since the chain has a newer block. */
  polls: number;
}

/** What an effect may depend on. */
export interface EffectContext {
  readonly state: FaultState;
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
  readonly lag?: { readonly what: "blocks" | "traces"; readonly last: number };
  /** Changes the results. */
  readonly change?: FieldChange;
  /** Changes how it is sent, whatever its content. */
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

/** Beyond this, the key that was not used for the longest time has a full bucket again: keys without end would take memory without end. */
const MAX_BUCKETS = 1000;

const encoder = new TextEncoder();

/** A body as text, also where it is no text. */
const textOf = ({ body, bytes }: ServiceResponse): string =>
  bytes ? new TextDecoder().decode(bytes) : body;

/** An index that lags a number of blocks, or shows a new block only after a number of requests. */
function lagging(what: "blocks" | "traces") {
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
    return last < head ? { lag: { what, last: Math.max(0, last) } } : undefined;
  };
}

/** The effect of each fault; a missing one does not compile. */
const effects: { readonly [Name in FaultName]: Apply<Name> } = {
  latency: ({ ms }, { draw }) => ({ delayMs: latencyMs(ms, draw) }),
  status: ({ status, message = `fault status ${status}`, headers }) => ({
    response: errorResponse(status, message, null, headers),
  }),
  failure: ({ message, results = {} }) => ({ response: errorResponse(200, message, results) }),
  "rate-limit": ({ retryAfter }, { state, now }) => {
    const until = now + retryAfter * 1000;
    // A clock that went back does not lengthen the wait.
    if (state.limitedUntil <= now || state.limitedUntil > until) state.limitedUntil = until;
    return tooManyRequests(state.limitedUntil - now);
  },
  "token-bucket": ({ requests, perMs }, { state, now, apiKey }) => {
    const { tokens: before, at } = state.buckets.get(apiKey) ?? { tokens: requests, at: now };
    // A clock that went back takes no tokens.
    const passed = Math.max(0, now - at);
    const tokens = Math.min(requests, before + (passed * requests) / perMs);
    // Those used last are at the end.
    state.buckets.delete(apiKey);
    state.buckets.set(apiKey, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    const [oldest] = state.buckets.keys();
    if (state.buckets.size > MAX_BUCKETS && oldest !== undefined) state.buckets.delete(oldest);
    return tokens >= 1 ? undefined : tooManyRequests(((1 - tokens) * perMs) / requests);
  },
  "malformed-json": () => ({
    reshape: (response) => ({
      ...response,
      bytes: undefined,
      body: textOf(response).replace('":', '"'),
    }),
  }),
  truncated: ({ keep = 0.5 }) => ({
    reshape: (response) => {
      // MSW sends no headers before the first byte.
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

/** The effect of a fault on a request; undefined where it has none this time. */
export const effectOf = <Name extends FaultName>(
  effect: Extract<Effect, { readonly fault: Name }>,
  context: EffectContext,
): FaultStep | undefined => (effects[effect.fault as Name] as Apply<Name>)(effect, context);
