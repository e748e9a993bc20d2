// The steps of a request, with an API of three operations: who answers, from which chain, and what is written down.
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type HeadQuestion,
  HeadStateUnavailable,
  type LiveChain,
} from "../../mocks/chain/live-chain.ts";
import { RequestLog } from "../../mocks/journal/request-log.ts";
import { type Api, ServiceError, WrittenResults } from "../../mocks/message/api.ts";
import { jsonHeaders, type ServiceRequest } from "../../mocks/message/message.ts";
import {
  apiKeyOf,
  createDispatcher,
  type DispatcherOptions,
  type Tenant,
} from "../../mocks/service/dispatcher.ts";
import { operations } from "../../src/contract/index.ts";

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
    return { status, headers, body: JSON.parse(body) };
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
});

test.each([
  [{ "api-key": "k" }, "k"],
  [{ "api-key": "" }, undefined],
  [{ "api-key": ["k", "l"] }, undefined],
  [{}, undefined],
])("the api-key in %j is %j", (headers, key) => {
  expect(apiKeyOf({ method: "GET", target: "/", headers })).toBe(key);
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
