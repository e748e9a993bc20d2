// The steps of a request, with an API of three operations: who answers, from which chain, and what is written down.
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type HeadQuestion,
  HeadStateUnavailable,
  type LiveChain,
} from "../../../mocks/double/chain/live-chain.ts";
import { RequestLog } from "../../../mocks/double/journal/request-log.ts";
import { type Api, ServiceError, WrittenResults } from "../../../mocks/double/service/api.ts";
import {
  apiKeyOf,
  assertReady,
  createDispatcher,
  type DispatcherOptions,
  type Tenant,
} from "../../../mocks/double/service/dispatcher.ts";
import {
  bodyText,
  jsonHeaders,
  type ServiceRequest,
  type ServiceResponse,
} from "../../../mocks/double/service/message.ts";
import { operations } from "../../../src/contract/index.ts";

type Id = "B1" | "X3" | "C3";
interface Chain {
  readonly name: string;
  readonly revision: number;
}
type Services = { readonly who: string };
type Own = Tenant<Id, Chain, Services>;
type Options = DispatcherOptions<Id, Chain, Services>;

const chain: Chain = { name: "own", revision: 1 };
const hash = `0x${"ab".repeat(32)}`;
const frames = `/v1/transactions/${hash}/internal-transactions`;
const source = {
  ...{ contract_name: "A", compiler: "0.8.20", runs_optimizer: 200, optimization_enabled: 0 },
  ...{ contract_source: "YQ==", constructor_arguments: "" },
};

/** A dispatcher, and what its handler saw. */
function dispatching(
  own: Partial<Own> = {},
  {
    api = {},
    ...options
  }: { api?: Partial<Api<Id, Chain, Services>> } & Partial<Omit<Options, "api">> = {},
  answer: (chain: Chain) => unknown = ({ name }) => ({ name }),
) {
  const journal = new RequestLog();
  const calls: unknown[] = [];
  const handler = (chain: Chain, input: unknown, services: Services) => {
    calls.push([chain.name, input, services]);
    return answer(chain);
  };
  const tenant: Own = { chain, live: undefined, services: { who: "me" }, journal, ...own };
  const { B1, X3, C3 } = operations;
  const dispatch = createDispatcher<Id, Chain, Services>({
    api: {
      operations: { B1, X3, C3 },
      handlers: { B1: handler, X3: handler, C3: handler },
      ...{ unknownParameters: "ignored", maxValues: 100, ...api },
    },
    tenantOf: () => tenant,
    ...options,
  });
  const ask = (target: string, request: Partial<ServiceRequest> = {}) =>
    dispatch({ method: "GET", target, headers: { "api-key": "k" }, ...request });
  const get = async (target = "/v1/blocks/7", request: Partial<ServiceRequest> = {}) => {
    const { status, headers, body } = await ask(target, request);
    return { status, headers, body: JSON.parse(bodyText(body)) };
  };
  const post = () =>
    get(`/v1/contracts/0x${"ab".repeat(20)}/verify`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(source)),
    });
  return { ask, get, post, calls, journal };
}

const success = (results: unknown) => ({
  ...{ status: 200, headers: jsonHeaders },
  body: { status: "200", message: "success", results },
});

const wrong = new ServiceError(404, "none such", { none: 1 }, { "x-a": "b" });
const refused = {
  status: 404,
  headers: { ...jsonHeaders, "x-a": "b" },
  body: { status: "404", message: "none such", results: { none: 1 } },
};
const fails = (error: Error) => () => {
  throw error;
};

afterEach(() => vi.restoreAllMocks());

describe("a request", () => {
  test("is answered by its operation, from its tenant's chain, with checked parameters", async () => {
    vi.spyOn(Date, "now").mockReturnValue(5);
    const { get, calls, journal } = dispatching();
    expect(await get()).toEqual(success({ name: "own" }));
    expect(calls).toEqual([["own", { block_number: 7n }, { who: "me" }]]);
    expect(journal.entries).toMatchObject([
      {
        ...{ number: 1, method: "GET", target: "/v1/blocks/7", operation: "B1", at: 5 },
        ...{ input: { block_number: 7n }, status: 200, notes: [], faults: [] },
      },
    ]);
  });

  test("took as long as it took", async () => {
    vi.spyOn(performance, "now").mockReturnValue(10);
    const { get, journal } = dispatching();
    await get();
    expect(journal.entries).toMatchObject([{ duration: 0 }]);
  });

  test("without a query has no unknown parameters, and without a path no operation", async () => {
    const { get } = dispatching({}, { api: { unknownParameters: "refused" } });
    expect((await get()).status).toBe(200);
    expect((await get("/v1/blocks/7?x=1")).status).toBe(400);
    expect((await get("?x=1")).body.message).toBe("no operation at GET ");
  });

  test("is answered at once where nothing waits, also with results that are written already", async () => {
    const { ask } = dispatching({}, {}, () => new WrittenResults(['{"a"', ":1}"]));
    const response = ask("/v1/blocks/7");
    expect(response).not.toBeInstanceOf(Promise);
    expect(bodyText((await response).body)).toBe(
      '{"status":"200","message":"success","results":{"a":1}}',
    );
    const waiting = dispatching({}, {}, async () => ({ a: 1 }));
    expect(waiting.ask("/v1/blocks/7")).toBeInstanceOf(Promise);
    expect(await waiting.get()).toEqual(success({ a: 1 }));
  });

  test.each<[string, () => unknown]>([
    ["throws", fails(wrong)],
    ["rejects", () => Promise.reject(wrong)],
  ])(
    "whose handler %s has that error in an envelope, or in the API's own form",
    async (_, answer) => {
      const { get, journal } = dispatching({}, {}, answer);
      expect(await get()).toEqual(refused);
      expect(journal.entries).toMatchObject([{ status: 404, message: "none such" }]);
      const refusal = ({ message }: ServiceError) => ({
        status: 418,
        headers: {},
        body: `"${message}"`,
      });
      const own = dispatching({}, { api: { refusal } }, answer);
      expect(await own.get()).toEqual({ status: 418, headers: {}, body: "none such" });
      const none = dispatching({}, { api: { refusal: () => undefined } }, answer);
      expect(await none.get()).toEqual(refused);
    },
  );

  test("that fails for another reason is a 500 without details", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const error = new Error("secret");
    const refusal = () => ({ status: 418, headers: {}, body: "0" });
    const { get } = dispatching({}, { api: { refusal } }, fails(error));
    expect(await get()).toMatchObject({ status: 500, body: { message: "internal error" } });
    expect(log).toHaveBeenCalledWith(expect.anything(), error);
  });

  test("is refused for its path, its tenant or its parameters, and written down all the same", async () => {
    const common = new RequestLog();
    const asked: string[] = [];
    const { get, calls, journal } = dispatching(
      {},
      {
        tenantOf: ({ method }, id) => {
          asked.push(`${method} ${id}`);
          throw new ServiceError(401, "no key");
        },
        journal: () => common,
      },
    );
    expect((await get("/v1/none")).status).toBe(404);
    expect((await get()).status).toBe(401);
    expect(asked).toEqual(["GET B1"]);
    expect(common.entries).toMatchObject([
      { operation: undefined, target: "/v1/none", status: 404 },
      { operation: "B1", status: 401, message: "no key" },
    ]);
    expect([calls, journal.entries]).toEqual([[], []]);
    const other = dispatching();
    expect(await other.get("/v1/blocks/x")).toMatchObject({ status: 400, body: { results: null } });
    expect([other.calls, other.journal.entries.length]).toEqual([[], 1]);
  });

  test("needs no journal", async () => {
    const seen: unknown[] = [];
    const onRequest = (entry: unknown) => seen.push(entry);
    const { get } = dispatching({ journal: undefined }, { onRequest });
    expect((await get()).status).toBe(200);
    expect((await get("/v1/none")).status).toBe(404);
    expect(seen).toEqual([]);
    const source = async () => ({
      response: { status: 200, headers: {}, body: "1" },
      notes: ["recorded"],
    });
    expect((await dispatching({ journal: undefined, source }).get()).status).toBe(200);
    const faults: Own["faults"] = {
      size: 1,
      plan: () => ({
        ...{ names: [], struck: [], delayMs: 0, response: undefined },
        ...{ view: (own) => own, reshape: (response) => response },
      }),
    };
    expect((await dispatching({ journal: undefined, faults }).get()).status).toBe(200);
  });

  test("is reported once its response is ready, with what is noted of it", async () => {
    const seen: unknown[] = [];
    const { get } = dispatching({}, { onRequest: (entry, request) => seen.push([entry, request]) });
    await get(`${frames}?limt=3&zzzzzz=1`);
    expect(seen).toEqual([
      [
        expect.objectContaining({
          status: 200,
          notes: ["ignored the parameter limt; did you mean limit?"],
        }),
        expect.objectContaining({ target: `${frames}?limt=3&zzzzzz=1` }),
      ],
    ]);
  });

  test("has the time of the explorer's own clock, if it has one", async () => {
    const { get, journal } = dispatching({}, { now: () => 77 });
    await get();
    expect(journal.entries).toMatchObject([{ at: 77 }]);
  });
});

test.each([
  [{ "api-key": "k" }, "k"],
  [{ "api-key": "" }, undefined],
  [{ "api-key": ["k", "l"] }, undefined],
  [{}, undefined],
])("the api-key in %j is %j", (headers, key) => {
  expect(apiKeyOf({ method: "GET", target: "/", headers })).toBe(key);
});

describe("a fault", () => {
  type Faults = NonNullable<Own["faults"]>;
  type Plan = NonNullable<ReturnType<Faults["plan"]>>;
  const planned = (plan: Partial<Plan>, size = 1) => {
    const asked: unknown[] = [];
    const faults: Faults = {
      size,
      plan(call) {
        asked.push(call);
        return {
          ...{ names: ["one"], struck: [{ fault: "one" }], delayMs: 0, response: undefined },
          ...{ view: (chain) => chain, reshape: (response) => response, ...plan },
        };
      },
    };
    return { faults, asked };
  };
  const instead: ServiceResponse = { status: 503, headers: {}, body: '"instead"' };
  const reshape = (response: ServiceResponse) => ({ ...response, headers: { reshaped: "yes" } });

  test("may replace the response, also to an invalid request; nobody else answers then", async () => {
    const { faults, asked } = planned({ response: instead, reshape });
    const { get, calls, journal } = dispatching({ faults });
    for (const block of ["7", "x"])
      expect(await get(`/v1/blocks/${block}`)).toEqual({
        status: 503,
        headers: {},
        body: "instead",
      });
    expect(calls).toEqual([]);
    expect(asked).toEqual([
      { operation: "B1", raw: { block_number: "7" }, apiKey: "k" },
      { operation: "B1", raw: { block_number: "x" }, apiKey: "k" },
    ]);
    expect(journal.entries).toMatchObject([{ faults: ["one"], status: 503 }, { status: 503 }]);
  });

  test("may change the chain and the response, of a refusal too; without a key it has an empty one", async () => {
    const view = (chain: Chain) => ({ ...chain, name: `less of ${chain.name}` });
    const { faults, asked } = planned({ view, reshape });
    const { get } = dispatching({ faults });
    expect(await get("/v1/blocks/7", { headers: {} })).toEqual({
      ...success({ name: "less of own" }),
      headers: { reshaped: "yes" },
    });
    expect(asked).toMatchObject([{ apiKey: "" }]);
    expect(await get("/v1/blocks/x")).toMatchObject({ status: 400, headers: { reshaped: "yes" } });
  });

  test("delays the response", async () => {
    vi.useFakeTimers();
    const { get } = dispatching({ faults: planned({ delayMs: 100 }).faults });
    let isThere = false;
    const asking = get().then(() => {
      isThere = true;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(isThere).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await asking;
    vi.useRealTimers();
  });

  test("that is not there is not asked for, and one that does not strike leaves no trace", async () => {
    const none = planned({}, 0);
    await dispatching({ faults: none.faults }).get();
    expect(none.asked).toEqual([]);
    const { get, journal } = dispatching({ faults: { size: 1, plan: () => undefined } });
    expect(await get()).toEqual(success({ name: "own" }));
    expect(journal.entries).toMatchObject([{ faults: [] }]);
  });

  describe("where requests are kept in full", () => {
    const kept = async (
      plan: Partial<Plan> | undefined,
      own: Partial<Own> = {},
      isPost = false,
    ) => {
      const faults = plan && planned(plan).faults;
      const { get, post, journal, calls } = dispatching({ faults, ...own });
      journal.exchanges.isOn = true;
      await (isPost ? post() : get());
      const [entry] = journal.entries;
      // Whoever answers without the faults has the same parameters.
      if (!isPost)
        for (const call of calls) expect(call).toMatchObject({ 1: { block_number: 7n } });
      return { ...(entry && journal.exchanges.of(entry)), answered: calls.length };
    };
    const text = (results: unknown) => JSON.stringify(success(results).body);

    test("is kept with the response that it did not touch, of requests that are safe to repeat", async () => {
      const view = (chain: Chain) => ({ ...chain, name: "less" });
      const whole = { body: text({ name: "own" }) };
      expect(await kept({ response: instead })).toMatchObject({
        ...{ response: { status: 503 }, untouched: whole, faults: [{ fault: "one" }] },
        answered: 1,
      });
      expect(await kept({ view })).toMatchObject({ untouched: whole, answered: 2 });
      expect(await kept({ reshape })).toMatchObject({
        ...{ response: { headers: { reshaped: "yes" } }, untouched: whole, answered: 1 },
        request: { headers: { "api-key": "[api-key]" } },
      });
      expect(await kept({ response: instead }, {}, true)).toMatchObject({
        ...{ untouched: null, answered: 0 },
        request: { body: JSON.stringify(source) },
      });
      expect(await kept({ reshape }, {}, true)).toMatchObject({ untouched: whole, answered: 1 });
      expect(await kept(undefined)).toMatchObject({ untouched: null, faults: [], answered: 1 });
    });

    test("asks no recording, and no other explorer, a second time", async () => {
      let asked = 0;
      const own: Partial<Own> = {
        source: async () => {
          asked++;
          return { response: { ...instead, status: 200 }, notes: [] };
        },
      };
      expect(await kept({ response: instead }, own)).toMatchObject({ untouched: null });
      expect(asked).toBe(0);
    });

    test("has what comes later once it is there, unless the entry is forgotten by then", async () => {
      let arrive = (_: unknown) => {};
      const later = () =>
        new Promise((resolve) => {
          arrive = resolve;
        });
      for (const isForgotten of [false, true]) {
        const { faults } = planned({ response: instead });
        const { get, journal } = dispatching({ faults }, {}, later);
        journal.exchanges.isOn = true;
        await get();
        const [entry = {}] = journal.entries;
        expect(journal.exchanges.of(entry)).toMatchObject({ untouched: null });
        if (isForgotten) journal.exchanges.forget([entry]);
        arrive({ late: true });
        await new Promise((resolve) => setImmediate(resolve));
        expect(journal.exchanges.of(entry)?.untouched?.body).toBe(
          isForgotten ? undefined : text({ late: true }),
        );
      }
    });

    test("nothing is kept where nobody can read it", async () => {
      const { get, journal } = dispatching();
      await get();
      expect(journal.exchanges.of(journal.entries[0] ?? {})).toBeUndefined();
    });
  });
});

describe("another source of answers", () => {
  test("gets the request as it came, also one that the API would refuse, and its notes are kept", async () => {
    const response = { status: 200, headers: { from: "there" }, body: "1" };
    const asked: unknown[] = [];
    const notes = ["recorded"];
    const { get, calls, journal } = dispatching({
      source: async ({ target }, id) => {
        asked.push([target, id]);
        return { response, notes: target.endsWith("x") ? notes : [] };
      },
    });
    expect(await get("/v1/blocks/x")).toEqual({ ...response, body: 1 });
    expect(await get(`${frames}?limt=1`)).toEqual({ ...response, body: 1 });
    expect(asked).toEqual([
      ["/v1/blocks/x", "B1"],
      [`${frames}?limt=1`, "X3"],
    ]);
    expect(calls).toEqual([]);
    expect(journal.entries).toMatchObject([
      { notes },
      { notes: [expect.stringContaining("did you mean limit?")] },
    ]);
  });

  test("that fails is an error of the request", async () => {
    const { get } = dispatching({ source: () => Promise.reject(wrong) });
    expect(await get()).toEqual(refused);
  });
});

describe("a chain that follows a node", () => {
  const live = (questions: Partial<HeadQuestion>, more: Partial<LiveChain> = {}): LiveChain =>
    ({
      question: (reads: () => Iterable<unknown>) => {
        const needed = [...reads()];
        return { fetch: () => undefined, incomplete: needed.length === 0, ...questions };
      },
      status: () => ({ state: "following" }),
      unavailable: () => undefined,
      untraced: false,
      ...more,
    }) as never;
  const reads = () => [{ kind: "balance", account: "0x" } as const];
  const headReads = { B1: reads, X3: null, C3: null };

  test("is asked before the answer, as often as needed; an answer that may be old says so", async () => {
    let fetched = 0;
    const fetch = () => (fetched++ < 2 ? Promise.resolve() : undefined);
    const { get, calls } = dispatching({ live: live({ fetch }) }, { api: { headReads } }, () => ({
      fetched,
    }));
    expect(await get()).toEqual(success({ fetched: 3 }));
    expect(calls).toHaveLength(1);
    expect(await get(frames)).toEqual(success({ fetched: 3 }));
    const old = dispatching({ live: live({ incomplete: true }) }, { api: { headReads } });
    expect((await old.get()).headers).toEqual({ ...jsonHeaders, "head-state": "incomplete" });
    expect((await old.get(frames)).headers).toEqual(jsonHeaders);
  });

  test("that does not return its state makes a 503, and one that fails otherwise its error", async () => {
    const failing = (error: Error) => live({ fetch: () => Promise.reject(error) });
    const unavailable = failing(new HeadStateUnavailable("no state"));
    expect(await dispatching({ live: unavailable }, { api: { headReads } }).get()).toMatchObject({
      ...{ status: 503, headers: { "retry-after": "1" }, body: { message: "no state" } },
    });
    expect(await dispatching({ live: failing(wrong) }, { api: { headReads } }).get()).toEqual(
      refused,
    );
  });

  test("is waited for however long it takes, unless the API has no patience", async () => {
    vi.useFakeTimers();
    let isFetched = false;
    const later = () =>
      new Promise<void>((resolve) =>
        setTimeout(() => {
          isFetched = true;
          resolve();
        }, 5000),
      );
    const fetch = () => (isFetched ? undefined : later());
    const slow = dispatching({ live: live({ fetch }) }, { api: { headReads } }).get();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await slow).toEqual(success({ name: "own" }));
    const api = { headReads, patienceMs: 100 };
    const never = live({ fetch: () => new Promise(() => {}) });
    const waiting = dispatching({ live: never }, { api });
    const late = waiting.get();
    await vi.advanceTimersByTimeAsync(99);
    expect(waiting.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await late).headers).toMatchObject({ "head-state": "incomplete" });
    const lost = live({ fetch: () => Promise.reject(new HeadStateUnavailable("gone")) });
    const old = await dispatching({ live: lost }, { api }).get();
    expect([old.status, old.headers]).toMatchObject([200, { "head-state": "incomplete" }]);
    const broken = live({ fetch: () => Promise.reject(wrong) });
    expect((await dispatching({ live: broken }, { api }).get()).status).toBe(404);
    vi.useRealTimers();
  });

  test("is not asked while it fails, by an API that has no patience for it", async () => {
    let asked = 0;
    const fetch = () => {
      asked++;
      return undefined;
    };
    expect((await dispatching({}, { api: { headReads } }).get()).status).toBe(200);
    const failing = live({ fetch }, { status: () => ({ state: "failing" }) as never });
    const { get } = dispatching({ live: failing }, { api: { headReads, patienceMs: 100 } });
    expect((await get()).headers).toMatchObject({ "head-state": "incomplete" });
    expect(asked).toBe(0);
    expect((await dispatching({ live: failing }, { api: { headReads } }).get()).headers).toEqual(
      jsonHeaders,
    );
    expect(asked).toBe(1);
  });

  test("without traces says so of the operations that show them, and of no others", async () => {
    const traced: ReadonlySet<Id> = new Set(["X3"]);
    const said = async (untraced: boolean, target: string) =>
      (await dispatching({ live: live({}, { untraced }) }, { api: { traced } }).get(target))
        .headers;
    const word = { ...jsonHeaders, "internal-transactions": "not traced" };
    expect([await said(true, frames), await said(true, "/v1/blocks/7")]).toEqual([
      word,
      jsonHeaders,
    ]);
    expect(await said(false, frames)).toEqual(jsonHeaders);
    expect((await dispatching({}, { api: { traced } }).get(frames)).headers).toEqual(jsonHeaders);
    const untraced = live({}, { untraced: true });
    expect(await dispatching({ live: untraced }).get(frames)).toEqual(success({ name: "own" }));
  });

  test("that cannot be read yet is a 503", () => {
    expect(() => assertReady(undefined)).not.toThrow();
    expect(() => assertReady(live({}))).not.toThrow();
    const error = new ServiceError(503, "connecting", null, { "retry-after": "1" });
    expect(() => assertReady(live({}, { unavailable: () => "connecting" }))).toThrow(error);
  });
});

describe("a page that was answered before", () => {
  const written = () => new WrittenResults(['{"a":1}']);

  test("is sent again while its chain has the same revision, and only of a request that is safe", async () => {
    const own = { name: "own", revision: 1 };
    const { get, post, calls } = dispatching({ chain: own, revised: own }, {}, written);
    for (let time = 0; time < 3; time++) expect(await get()).toEqual(success({ a: 1 }));
    expect(calls).toHaveLength(1);
    own.revision++;
    await get();
    expect(calls).toHaveLength(2);
    await post();
    await post();
    expect(calls).toHaveLength(4);
  });

  test.each<[string, Partial<Own>, Partial<Omit<Options, "api">>]>([
    ["of a chain that may change without notice", {}, {}],
    ["where results are checked", { revised: chain }, { refuseResults: () => undefined }],
    [
      "where a fault shows another chain",
      {
        revised: chain,
        faults: {
          size: 1,
          plan: () => ({
            ...{ names: [], struck: [], delayMs: 0, response: undefined },
            ...{ view: (own) => ({ ...own }), reshape: (response) => response },
          }),
        },
      },
      {},
    ],
  ])("is made anew %s", async (_, own, options) => {
    const { get, calls } = dispatching(own, options, written);
    for (let time = 0; time < 2; time++) expect(await get()).toEqual(success({ a: 1 }));
    expect(calls).toHaveLength(2);
  });
});

test("results that violate the contract are refused, written ones too", async () => {
  const seen: unknown[] = [];
  const refuseResults: Options["refuseResults"] = (id, results, input) => {
    seen.push([id, results, input]);
    return JSON.stringify(results).includes("bad")
      ? { status: 500, headers: {}, body: '"refused"' }
      : undefined;
  };
  const ask = async (results: unknown) =>
    (await dispatching({}, { refuseResults }, () => results).get()).status;
  expect(await ask({ good: 1 })).toBe(200);
  expect(await ask({ bad: 1 })).toBe(500);
  expect(await ask(new WrittenResults('{"bad":2}'))).toBe(500);
  const input = { block_number: 7n };
  expect(seen).toEqual([
    ["B1", { good: 1 }, input],
    ["B1", { bad: 1 }, input],
    ["B1", { bad: 2 }, input],
  ]);
});
