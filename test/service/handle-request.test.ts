// A request to an API of three operations: its chain follows a node, its handler fails or violates the contract.
import { describe, expect, test, vi } from "vitest";
import {
  type HeadQuestion,
  HeadStateUnavailable,
  type LiveChain,
} from "../../mocks/chain/live-chain.ts";
import { createExplorer, type ExplorerOptions, serviceOf } from "../../mocks/explorer.ts";
import { ServiceError, WrittenResults } from "../../mocks/message/api.ts";
import { jsonHeaders, type ServiceRequest } from "../../mocks/message/message.ts";
import { handleRequest } from "../../mocks/service/handle-request.ts";
import { Router } from "../../mocks/service/router.ts";
import type { Api } from "../../mocks/service/service.ts";
import { ConformanceError } from "../../src/contract/conformance.ts";
import { operations } from "../../src/contract/index.ts";

const hash = `0x${"ab".repeat(32)}`;
const frames = `/v1/transactions/${hash}/internal-transactions`;

/** An API with this handler, on a new chain or the given source of one, and what the handler was called with. */
function serving(
  api: Partial<Api> = {},
  answer: () => unknown = () => ({ name: "own" }),
  options: ExplorerOptions = {},
) {
  const service = serviceOf(createExplorer(options));
  const calls: unknown[] = [];
  const handler = (_: never, input: unknown) => {
    calls.push(input);
    return answer();
  };
  const { B1, X3, C3 } = operations;
  const served: Api = {
    router: new Router({ B1, X3, C3 }),
    handlers: { B1: handler, X3: handler, C3: handler },
    ...{ unknownParameters: "ignored", maxValues: 100, serviceFor: (own) => own },
    ...api,
  };
  const get = async (target = "/v1/blocks/7", request: Partial<ServiceRequest> = {}) => {
    const all = { method: "GET", target, headers: { "api-key": "k" }, ...request };
    const { status, headers, body } = await handleRequest(served, service, all);
    return { status, headers, body: JSON.parse(body) };
  };
  return { get, calls };
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

describe("a chain that follows a node", () => {
  const { chain } = createExplorer();
  const live = (questions: Partial<HeadQuestion>, more: Partial<LiveChain> = {}): LiveChain =>
    ({
      ...{ chain, live: true },
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
    const { get, calls } = serving({ headReads }, () => ({ fetched }), {
      chain: live({ fetch }),
    });
    expect(await get()).toEqual(success({ fetched: 3 }));
    expect(calls).toHaveLength(1);
    expect(await get(frames)).toEqual(success({ fetched: 3 }));
    const old = serving({ headReads }, undefined, { chain: live({ incomplete: true }) });
    expect((await old.get()).headers).toEqual({ ...jsonHeaders, "head-state": "incomplete" });
    expect((await old.get(frames)).headers).toEqual(jsonHeaders);
  });

  test("that does not return its state makes a 503, and one that fails otherwise its error", async () => {
    const failing = (error: Error) => live({ fetch: () => Promise.reject(error) });
    const unavailable = failing(new HeadStateUnavailable("no state"));
    expect(await serving({ headReads }, undefined, { chain: unavailable }).get()).toMatchObject({
      ...{ status: 503, headers: { "retry-after": "1" }, body: { message: "no state" } },
    });
    expect(await serving({ headReads }, undefined, { chain: failing(wrong) }).get()).toEqual(
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
    const slow = serving({ headReads }, undefined, { chain: live({ fetch }) }).get();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await slow).toEqual(success({ name: "own" }));
    const api = { headReads, patienceMs: 100 };
    const never = live({ fetch: () => new Promise(() => {}) });
    const waiting = serving(api, undefined, { chain: never });
    const late = waiting.get();
    await vi.advanceTimersByTimeAsync(99);
    expect(waiting.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await late).headers).toMatchObject({ "head-state": "incomplete" });
    const lost = live({ fetch: () => Promise.reject(new HeadStateUnavailable("gone")) });
    const old = await serving(api, undefined, { chain: lost }).get();
    expect([old.status, old.headers]).toMatchObject([200, { "head-state": "incomplete" }]);
    const broken = live({ fetch: () => Promise.reject(wrong) });
    expect((await serving(api, undefined, { chain: broken }).get()).status).toBe(404);
  });

  test("is not asked while it fails, by an API that has no patience for it", async () => {
    let asked = 0;
    const fetch = () => {
      asked++;
      return undefined;
    };
    expect((await serving({ headReads }).get()).status).toBe(200);
    const failing = live({ fetch }, { status: () => ({ state: "failing" }) as never });
    const { get } = serving({ headReads, patienceMs: 100 }, undefined, { chain: failing });
    expect((await get()).headers).toMatchObject({ "head-state": "incomplete" });
    expect(asked).toBe(0);
    expect((await serving({ headReads }, undefined, { chain: failing }).get()).headers).toEqual(
      jsonHeaders,
    );
    expect(asked).toBe(1);
  });
});

test("a handler that throws is a 500 without details", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const error = new Error("secret");
  const { get } = serving({}, () => {
    throw error;
  });
  expect(await get()).toMatchObject({ status: 500, body: { message: "internal error" } });
  expect(log).toHaveBeenCalledWith(expect.anything(), error);
});

test("results that violate the contract are refused, written ones too", async () => {
  const violationOf: Api["violationOf"] = (_, results) =>
    Object(results).bad && new ConformanceError("B1", "wrong");
  const ask = async (results: unknown) =>
    (await serving({ violationOf }, () => results, { conformance: "throw" }).get()).status;
  expect(await ask({ good: 1 })).toBe(200);
  expect(await ask({ bad: 1 })).toBe(500);
  expect(await ask(new WrittenResults('{"bad":2}'))).toBe(500);
});
