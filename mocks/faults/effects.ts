// What each fault does to a request: a delay, another reply, a lagging chain, a reply made worse.
import { errorResponse, type ServiceResponse } from "../message.ts";
import type { Effect, FaultName, Lag, Latency } from "./fault.ts";
import { setField } from "./field.ts";

/** What a fault remembers between requests. */
export interface FaultState {
  /** The requests that matched, whether the fault struck or not. */
  matched: number;
  struck: number;
  /** How many numbers chance has given. */
  draws: number;
  /** Milliseconds since 1970: until then a rate limit holds. */
  limitedUntil: number;
  /** By api-key: the tokens left, and when that was reckoned. */
  readonly buckets: Map<string, { readonly tokens: number; readonly at: number }>;
  /** The newest block the index shows. */
  shown: number;
  /** How often was asked since there is a newer one. */
  polls: number;
}

/** What a fault sees of a request. */
export interface EffectContext {
  readonly state: FaultState;
  readonly now: number;
  readonly draw: () => number;
  readonly apiKey: string;
  /** The number of the chain's newest block. */
  readonly head: number;
}

/** What one fault does to one request. */
export interface FaultStep {
  readonly delayMs?: number;
  readonly response?: ServiceResponse;
  /** The last block whose records, or traces, are there. */
  readonly lag?: { readonly what: "blocks" | "traces"; readonly last: number };
  /** Changes what the answer says. */
  readonly revise?: (reply: ServiceResponse) => ServiceResponse;
  /** Changes how it is sent, whatever it says. */
  readonly reshape?: (reply: ServiceResponse) => ServiceResponse;
}

type Apply<Name extends FaultName> = (
  effect: Extract<Effect, { readonly fault: Name }>,
  circumstances: EffectContext,
) => FaultStep | undefined;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** How many standard deviations the 99th percentile is away. */
const z99 = 2.3263478740408408;

/** Milliseconds out of a distribution; `median` and `p99` fix a log-normal one. */
function latencyMs(latency: Latency, draw: () => number): number {
  if (typeof latency === "number") return latency;
  if ("from" in latency) return latency.from + (latency.to - latency.from) * draw();
  const { median, p99 } = latency;
  if (median === 0) return 0;
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return median * Math.exp((Math.log(p99 / median) / z99) * normal);
}

/** 429, with the time after which a request passes. */
function tooManyRequests(waitMs: number): FaultStep {
  const wait = `${seconds(waitMs)}`;
  const message = `too many requests; try again in ${wait} s`;
  return { response: errorResponse(429, message, null, { "retry-after": wait }) };
}

/** No reply at all: the door does it. */
const noResponse = (kind: "reset" | "never"): FaultStep => ({
  response: { status: 0, headers: {}, body: "", delivery: { kind } },
});

const page = (status: number) =>
  `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>This is not the page you are looking for.</p></body></html>\n`;

const withType = (reply: ServiceResponse, type: string): ServiceResponse => ({
  ...reply,
  headers: { ...reply.headers, "content-type": type },
});

const encoder = new TextEncoder();

/** How far the index is: so many blocks behind the head, or at the block before until it was asked often enough. */
function lagging(what: "blocks" | "traces") {
  return (effect: Lag, { state: memory, head }: EffectContext): FaultStep | undefined => {
    let last: number;
    if ("blocks" in effect) last = head - effect.blocks;
    else {
      memory.shown = Math.min(memory.shown, head);
      if (memory.shown < head && ++memory.polls > effect.polls) {
        memory.shown = head;
        memory.polls = 0;
      }
      last = memory.shown;
    }
    return last < head ? { lag: { what, last: Math.max(0, last) } } : undefined;
  };
}

/** What each fault does: a fault that is missing here does not compile. */
const effects: { readonly [Name in FaultName]: Apply<Name> } = {
  latency: ({ ms }, { draw }) => ({ delayMs: latencyMs(ms, draw) }),
  status: ({ status, message = `the service was told to answer ${status}`, headers }) => ({
    response: errorResponse(status, message, null, headers),
  }),
  failure: ({ message, results = {} }) => ({ response: errorResponse(200, message, results) }),
  "rate-limit": ({ retryAfter }, { state: memory, now }) => {
    if (memory.limitedUntil <= now) memory.limitedUntil = now + retryAfter * 1000;
    return tooManyRequests(memory.limitedUntil - now);
  },
  "token-bucket": ({ requests, perMs }, { state: memory, now, apiKey }) => {
    const { tokens: before, at } = memory.buckets.get(apiKey) ?? { tokens: requests, at: now };
    const tokens = Math.min(requests, before + ((now - at) * requests) / perMs);
    memory.buckets.set(apiKey, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1 ? undefined : tooManyRequests(((1 - tokens) * perMs) / requests);
  },
  "malformed-json": () => ({
    reshape: (reply) => ({ ...reply, body: reply.body.replace('":', '"') }),
  }),
  truncated: ({ keep = 0.5 }) => ({
    reshape: (reply) => {
      // Without a single byte MSW would not even send the headers.
      const bytes = Math.max(1, Math.floor(encoder.encode(reply.body).length * keep));
      return { ...reply, delivery: { kind: "truncated", bytes } };
    },
  }),
  "content-type": ({ type }) => ({ reshape: (reply) => withType(reply, type) }),
  html: ({ status = 200 }) => ({
    response: { status, headers: { "content-type": "text/html" }, body: page(status) },
  }),
  empty: ({ status = 200 }) => ({
    response: { status, headers: { "content-type": "application/json" }, body: "" },
  }),
  drip: ({ bytes, everyMs }) => ({
    reshape: (reply) => ({ ...reply, delivery: { kind: "drip", bytes, everyMs } }),
  }),
  reset: () => noResponse("reset"),
  never: () => noResponse("never"),
  field: ({ path, ...given }) => ({ revise: (reply) => setField(reply, path, given) }),
  stale: lagging("blocks"),
  "pending-traces": lagging("traces"),
};

/** What a fault does to a request; undefined: nothing, this time. */
export const effectOf = <Name extends FaultName>(
  effect: Extract<Effect, { readonly fault: Name }>,
  circumstances: EffectContext,
): FaultStep | undefined => (effects[effect.fault as Name] as Apply<Name>)(effect, circumstances);
