// What each fault does to a request, by itself: delays, pauses, bodies, lags.
import { expect, test } from "vitest";
import { type EffectContext, effectOf, type FaultState } from "../../mocks/faults/effects.ts";
import { type Fault, faultPresets, type Lag } from "../../mocks/faults/fault.ts";
import { type FaultRequest, Faults } from "../../mocks/faults/faults.ts";
import { jsonHeaders, type ServiceResponse } from "../../mocks/message/message.ts";

const request: FaultRequest = { operation: "B1", parameters: {}, apiKey: "k" };
const response: ServiceResponse = { status: 200, headers: jsonHeaders, body: '{"a":"ü"}' };

/** Faults with a clock and a head that the test moves. */
function under(...given: Fault[]) {
  const world = { now: 1_000_000, head: 10 };
  const faults = new Faults({ now: () => world.now, head: () => world.head, seed: 7 });
  for (const fault of given) faults.add(fault);
  return {
    world,
    faults,
    plan: (apiKey = "k") => faults.plan({ ...request, apiKey }),
    /** The seconds to wait by each of so many requests; undefined where it succeeds. */
    pauses: (count: number, apiKey = "k") =>
      Array.from(
        { length: count },
        () => faults.plan({ ...request, apiKey })?.response?.headers["retry-after"],
      ),
  };
}

const draws = (ms: Extract<Fault, { fault: "latency" }>["ms"]) => {
  const { plan } = under({ fault: "latency", ms });
  return Array.from({ length: 2000 }, () => plan()?.delayMs ?? Number.NaN).sort((a, b) => a - b);
};

test("latency is constant, uniform, or has this median and 99th percentile", () => {
  expect(new Set(draws(40))).toEqual(new Set([40]));
  const uniform = draws({ from: 100, to: 300 });
  expect(uniform.every((ms) => ms >= 100 && ms < 300)).toBe(true);
  for (const share of [0.1, 0.5, 0.9])
    expect(Math.abs((uniform[share * 2000] ?? 0) - (100 + 200 * share))).toBeLessThan(10);
  const skewed = draws({ median: 100, p99: 1000 });
  expect(skewed[1000]).toBeGreaterThan(90);
  expect(skewed[1000]).toBeLessThan(110);
  expect(skewed[1980]).toBeGreaterThan(700);
  expect(skewed[1980]).toBeLessThan(1400);
  expect(skewed[20]).toBeLessThan(15);
  expect(new Set(draws({ median: 0, p99: 0 }))).toEqual(new Set([0]));
});

test("latencies add up, also after a fault that replaces the response; nothing else follows it", () => {
  const { plan, faults } = under(
    { fault: "latency", ms: 40 },
    { fault: "status", status: 503 },
    { fault: "truncated" },
    { fault: "latency", ms: 2 },
    { fault: "status", status: 500 },
  );
  const made = plan();
  expect(made).toMatchObject({ names: ["latency", "status", "latency"], delayMs: 42 });
  expect(made?.applied).toEqual([0, 1, 3].map((index) => faults.list[index]?.fault));
  expect(made?.response?.status).toBe(503);
  expect(faults.list.map(({ matched, applied }) => [matched, applied])).toEqual([
    ...[
      [1, 1],
      [1, 1],
      [0, 0],
      [1, 1],
    ],
    [0, 0],
  ]);
  expect(under({ fault: "latency", ms: 1, operation: "A2" }).plan()).toBeUndefined();
});

test.each<[Fault, number, Record<string, string>, string]>([
  [
    { fault: "status", status: 503 },
    ...([503, {}, '{"status":"503","message":"fault status 503","results":null}'] as const),
  ],
  [
    { fault: "status", status: 404, message: "none", headers: { "x-a": "b" } },
    ...([404, { "x-a": "b" }, '{"status":"404","message":"none","results":null}'] as const),
  ],
  [
    { fault: "failure", message: "NOTOK" },
    ...([200, {}, '{"status":"200","message":"NOTOK","results":{}}'] as const),
  ],
  [
    { fault: "failure", message: "NOTOK", results: ["x"] },
    ...([200, {}, '{"status":"200","message":"NOTOK","results":["x"]}'] as const),
  ],
  [{ fault: "empty" }, 200, {}, ""],
  [{ fault: "empty", status: 502 }, 502, {}, ""],
])("%j replaces the response", (fault, status, headers, body) => {
  const made = under(fault).plan()?.response;
  expect(made).toMatchObject({ status, body });
  expect(made?.headers).toEqual({ "content-type": "application/json", ...headers });
});

test("html is a page with its status", () => {
  const page = (status?: number) => under({ fault: "html", status }).plan()?.response;
  expect(page()).toMatchObject({ status: 200, headers: { "content-type": "text/html" } });
  expect(page()?.body).toMatch(/^<!doctype html>.*200.*<\/html>\n$/s);
  expect(page(502)?.body).toContain("<h1>502</h1>");
  expect(page(502)?.status).toBe(502);
});

test.each(["reset", "never"] as const)("%s sends nothing", (fault) => {
  expect(under({ fault }).plan()?.response).toEqual({
    ...{ status: 0, headers: {}, body: "" },
    delivery: { kind: fault },
  });
});

test.each<[Fault, Partial<ServiceResponse>]>([
  [{ fault: "malformed-json" }, { body: '{"a""ü"}' }],
  [{ fault: "content-type", type: "text/csv" }, { headers: { "content-type": "text/csv" } }],
  // Ten bytes: ü takes two.
  [{ fault: "truncated" }, { delivery: { kind: "truncated", bytes: 5 } }],
  [{ fault: "truncated", keep: 0.39 }, { delivery: { kind: "truncated", bytes: 3 } }],
  [{ fault: "truncated", keep: 0.01 }, { delivery: { kind: "truncated", bytes: 1 } }],
  [{ fault: "drip", bytes: 2, everyMs: 5 }, { delivery: { kind: "drip", bytes: 2, everyMs: 5 } }],
])("%j changes how the response is sent", (fault, change) => {
  const made = under(fault).plan();
  expect(made).toMatchObject({ delayMs: 0, response: undefined });
  expect(made?.reshape(response)).toEqual({ ...response, ...change });
});

test("a rate limit holds to its end, whatever the other conditions of the fault", () => {
  const { pauses, world, faults } = under({ fault: "rate-limit", retryAfter: 2, nth: [1, 4] });
  const at = (now: number) => {
    world.now = 1_000_000 + now;
    return pauses(1)[0];
  };
  expect([0, 500, 1999, 2000, 2001, 4000].map(at)).toEqual(["2", "2", "1", "2", "2", undefined]);
  expect(faults.list[0]).toMatchObject({ matched: 6, applied: 2 });
});

test("a client that waits as a rate limit says succeeds, each key on its own", () => {
  const { pauses, world, faults } = under({ fault: "rate-limit", retryAfter: 2 });
  expect([pauses(2), pauses(1, "other")]).toEqual([["2", "2"], ["2"]]);
  world.now += 2000;
  expect([pauses(3), pauses(1, "other")]).toEqual([Array(3).fill(undefined), [undefined]]);
  expect(faults.list[0]).toMatchObject({ applied: 2 });
  const twice = under({ fault: "rate-limit", retryAfter: 1, times: 2 });
  const waited = Array.from({ length: 4 }, () => {
    const [pause] = twice.pauses(1);
    twice.world.now += 1000;
    return pause;
  });
  expect(waited).toEqual(["1", "1", undefined, undefined]);
});

test("a token bucket for each key fills evenly, up to its size", () => {
  const { pauses, world } = under({ fault: "token-bucket", requests: 2, perMs: 3000 });
  expect(pauses(4)).toEqual([undefined, undefined, "2", "2"]);
  expect(pauses(1, "other")).toEqual([undefined]);
  world.now += 749;
  expect(pauses(1)).toEqual(["1"]);
  world.now += 751;
  expect(pauses(2)).toEqual([undefined, "2"]);
  world.now += 3_000_000;
  expect(pauses(3)).toEqual([undefined, undefined, "2"]);
  const preset = under(faultPresets["5 requests a second"]).pauses(6);
  expect(preset).toEqual([...Array(5).fill(undefined), "1"]);
  expect(under({ fault: "token-bucket", requests: 1, perMs: 1 }).pauses(2)).toEqual([
    undefined,
    "1",
  ]);
});

test("a clock that goes back an hour lengthens no wait", () => {
  for (const [fault, wait] of [
    [{ fault: "token-bucket", requests: 1, perMs: 60_000 }, "60"],
    [{ fault: "rate-limit", retryAfter: 5 }, "5"],
  ] as const) {
    const { pauses, world } = under(fault);
    pauses(1);
    world.now -= 3_600_000;
    expect(pauses(2)).toEqual([wait, wait]);
  }
});

test("token buckets are kept for the 1,000 keys used last", () => {
  const { pauses } = under({ fault: "token-bucket", requests: 1, perMs: 60_000 });
  for (let key = 0; key < 1000; key++) expect(pauses(1, `${key}`)).toEqual([undefined]);
  expect(pauses(1, "0")).toEqual(["60"]);
  expect(pauses(1, "1000")).toEqual([undefined]);
  expect([pauses(1, "0"), pauses(1, "2")]).toEqual([["60"], ["60"]]);
  expect(pauses(1, "1")).toEqual([undefined]);
});

test("until a moment, and until a block: it strikes before them, and not at them", () => {
  const { plan, world } = under({ fault: "empty", until: new Date(1_000_010).toISOString() });
  const block = under({ fault: "empty", untilBlock: 12 });
  const applied = [0, 9, 10].map((later) => {
    world.now = 1_000_000 + later;
    block.world.head = 10 + later;
    return plan() !== undefined;
  });
  expect(applied).toEqual([true, true, false]);
  block.world.head = 11;
  expect(block.plan()).toBeDefined();
  block.world.head = 12;
  expect(block.plan()).toBeUndefined();
  for (const never of [{ until: 0 }, { untilBlock: 0 }])
    expect(under({ fault: "empty", ...never }).plan()).toBeUndefined();
});

test("a fault that has applied as often as it may draws nothing more, and counts on", () => {
  const { plan, faults } = under({ fault: "empty", times: 2 });
  expect([1, 2, 3].map(() => plan() !== undefined)).toEqual([true, true, false]);
  expect(faults.list[0]).toMatchObject({ matched: 3, applied: 2 });
  const certain = under({ fault: "empty", probability: 1 });
  const never = under({ fault: "empty", probability: 0 });
  expect([certain.plan() === undefined, never.plan() === undefined]).toEqual([false, true]);
});

const state = (indexed: number): FaultState => ({
  ...{ matched: 0, applied: 0, draws: 0, limits: new Map(), buckets: new Map(), polls: 0 },
  indexed,
});

const context = { operation: "B1", now: 0, draw: () => 0, apiKey: "k", head: 0 } as const;

test.each([
  ["blocks", (lag: Lag, context: EffectContext) => effectOf({ fault: "stale", ...lag }, context)],
  [
    "traces",
    (lag: Lag, context: EffectContext) => effectOf({ fault: "pending-traces", ...lag }, context),
  ],
] as const)(
  "an index without the newest %s, or without each new one for some requests",
  (what, effect) => {
    /** The last one shown, by the head at each request. */
    const shown = (lag: Lag, heads: readonly number[]) => {
      const kept = state(heads[0] ?? 0);
      const lags = heads.map((head) => effect(lag, { ...context, state: kept, head })?.lag);
      for (const one of lags) if (one) expect(one.kind).toBe(what);
      return lags.map((one) => one?.last);
    };
    expect(shown({ blocks: 2 }, [10, 11, 1, 2])).toEqual([8, 9, 0, 0]);
    expect(shown({ polls: 2 }, [5, 5, 6, 7, 7, 7, 8, 8, 8, 7, 8])).toEqual([
      ...[undefined, undefined, 5, 5, undefined, undefined],
      ...[7, 7, undefined, undefined, 7],
    ]);
  },
);
