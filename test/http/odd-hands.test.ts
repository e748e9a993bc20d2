// A client in odd hands: hooks, keys, stores, options and sources of its caller that fail, hang or make no sense.
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type ExplorerClientOptions,
  type ExplorerError,
  type Hooks,
  isExplorerError,
  type RequestOptions,
  toAbi,
} from "../../src/index.ts";
import { ADDRESS, clientOf, json, refusal, serve, success, supply } from "./server.ts";

const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ExplorerError,
  );
const never = () => new Promise<never>(() => {});
const addressOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}` as const;

afterEach(() => void vi.restoreAllMocks());

test("an async hook that rejects is told on the console and changes nothing", async () => {
  const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
  const server = await serve((_, response) => json(response, supply("5")));
  const hooks: Hooks = {
    onRequest: async () => {
      throw new Error("no disk");
    },
  };
  expect(await clientOf(server, { hooks }).tokens.totalSupply(ADDRESS)).toBe(5n);
  await expect.poll(() => complaint).toHaveBeenCalledOnce();
});

test("a key that never comes costs one attempt, and is asked for again", async () => {
  const server = await serve((_, response) => json(response, supply("5")));
  const apiKey = vi.fn(never as () => Promise<string>).mockResolvedValue("key");
  apiKey.mockImplementationOnce(never);
  const client = clientOf(server, { apiKey, timeout: 2000 });
  expect(await client.tokens.totalSupply(ADDRESS)).toBe(5n);
  expect(apiKey).toHaveBeenCalledTimes(2);
});

test.each(["get", "set"] as const)(
  "a store whose %s never answers only costs its use",
  async (silent) => {
    const complaint = vi.spyOn(console, "warn").mockImplementation(() => {});
    const server = await serve((_, response) => json(response, success({ data: [] })));
    const cache = { get: () => undefined, set: () => {}, [silent]: never };
    expect(await clientOf(server, { cache }).contracts.abi(ADDRESS)).toEqual([]);
    expect(complaint).toHaveBeenCalledOnce();
    const signal = AbortSignal.abort(new Error("mine"));
    const late = clientOf(server, { cache }).contracts.abi(ADDRESS, { signal });
    await expect(late).rejects.toThrow("mine");
  },
);

test.each<[string, RequestOptions]>([
  ["retry", { retry: Number.NaN }],
  ["retry", { retry: -1 }],
  ["timeout", { timeout: 0 }],
  ["timeout", { timeout: Number.NaN }],
  ["totalTimeout", { totalTimeout: 0 }],
])("%s of a request must make sense: %o", async (name, options) => {
  const server = await serve((_, response) => json(response, supply("5")));
  const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS, options));
  expect(isExplorerError(error, "PARAMETER") && error.issues[0]?.path).toEqual([name]);
  expect(server.asked).toEqual([]);
});

test.each([
  [{ retry: Number.NaN }],
  [{ retry: { limit: -1 } }],
  // A misspelt word must not turn checks off.
  [{ validation: "lenent" as "lenient" }],
])("a client is not made with %o", async (options: ExplorerClientOptions) => {
  const server = await serve(() => {});
  expect(() => clientOf(server, options)).toThrow(/Invalid client options/);
});

test("answers that say no let a client recover from a 429", async () => {
  let release = () => {};
  const together = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hold = false;
  let held = 0;
  const server = await serve(async (_, response, count) => {
    if (count < 5) return json(response, refusal(429, "slow"), 429, { "retry-after": "0" });
    // The last four requests are answered only once all of them are here.
    if (hold && ++held === 4) release();
    if (hold) await together;
    json(response, refusal(404, "nothing"), 404);
  });
  const client = clientOf(server, { dedupe: false, retry: 9, concurrency: 4 });
  const ask = () => thrown(client.tokens.totalSupply(ADDRESS));
  await ask();
  await Promise.all(Array.from({ length: 20 }, ask));
  hold = true;
  await Promise.all(Array.from({ length: 4 }, ask));
  expect(held).toBe(4);
});

describe("with lenient validation", () => {
  const frame = {
    timestamp: "2024-01-01T00:00:00Z",
    sender: ADDRESS,
    value: "1",
    transaction_hash: `0x${"ab".repeat(32)}`,
    block_number: "1",
    transaction_index: "0",
  };

  test("a field that should be a list stays as received, and so does its page", async () => {
    const data = [
      { ...frame, trace_address: "0,1" },
      { ...frame, trace_address: ["0"] },
    ];
    const server = await serve((_, response) => json(response, success({ count: "2", data })));
    const issues: unknown[] = [];
    const client = clientOf(server, {
      validation: "lenient",
      hooks: { onValidationIssue: ({ path, attempt }) => issues.push([path, attempt]) },
    });
    const page = await client.accounts.internalTransactions(ADDRESS);
    expect(page.data.map((one) => one.trace_address)).toEqual(["0,1", [0]]);
    expect(issues).toEqual([["results.data.0.trace_address", 1]]);
  });

  test("an entry whose parameters cannot be read is no part of an ABI", async () => {
    const f = { name: "f", type: "function", inputs: [], outputs: [] };
    const data = [
      { ...f, inputs: "none" },
      { ...f, outputs: [null] },
      { ...f, name: "g" },
    ];
    const server = await serve((_, response) => json(response, success({ data })));
    const abi = await clientOf(server, { validation: "lenient" }).contracts.abi(ADDRESS);
    expect(abi).toEqual(toAbi([{ ...f, name: "g" } as never]));
  });
});

describe("balances", () => {
  test("of a source that never answers end with the signal", async () => {
    const server = await serve(() => {});
    const end = new AbortController();
    let left = false;
    const addresses = {
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: async () => {
          left = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const error = thrown(clientOf(server).accounts.balances(addresses, { signal: end.signal }));
    setTimeout(() => end.abort(new Error("mine")));
    expect(await error).toMatchObject({ message: "mine" });
    expect(left).toBe(true);
  });

  test("that nobody wants any more are given up", async () => {
    let gone = 0;
    const server = await serve((_, response) => response.once("close", () => gone++));
    const client = clientOf(server);
    const ends = [new AbortController(), new AbortController()];
    const errors = ends.map(({ signal }, index) =>
      thrown(client.accounts.balance(addressOf(index), { signal })),
    );
    await expect.poll(() => server.asked).toHaveLength(1);
    ends[0]?.abort(new Error("first"));
    expect(await errors[0]).toMatchObject({ message: "first" });
    expect(gone).toBe(0);
    ends[1]?.abort(new Error("second"));
    expect(await errors[1]).toMatchObject({ message: "second" });
    await expect.poll(() => gone).toBe(1);
  });

  test("that could not be had say why in JSON", async () => {
    const server = await serve((_, response) => json(response, success({ data: [] })));
    const error = await thrown(clientOf(server).accounts.balances([ADDRESS]));
    expect(JSON.parse(JSON.stringify(error)).errors[ADDRESS].code).toBe("RESPONSE_VALIDATION");
  });
});

describe("a list", () => {
  const record = (index: number) => ({
    token_address: addressOf(index),
    token_name: null,
    token_symbol: null,
  });
  /** Ten records; fails once at the given request. */
  const serveTen = (failing = 0) =>
    serve(({ url }, response, count) => {
      const { searchParams } = new URL(url, "http://x");
      const [limit, offset] = [searchParams.get("limit"), searchParams.get("offset")].map(Number);
      const all = Array.from({ length: 10 }, (_, index) => record(index));
      if (count === failing) json(response, refusal(500, "down"), 500);
      else
        json(
          response,
          success({ count: "10", data: all.slice(offset, (offset ?? 0) + (limit ?? 50)) }),
        );
    });

  test("that breaks off says where to go on", async () => {
    const client = clientOf(await serveTen(3), { retry: 0 });
    const read: string[] = [];
    const list = (resume?: string) => client.accounts.mrc20Tokens(ADDRESS, { limit: 3, resume });
    const error = await (async () => {
      for await (const { token_address } of list()) read.push(token_address);
    })().catch((one: ExplorerError) => one);
    expect(isExplorerError(error, "SERVER") && error.cursor).toEqual(expect.any(String));
    expect(read.length).toBeGreaterThan(0);
    for await (const { token_address } of list(error?.cursor)) read.push(token_address);
    expect(read).toEqual(Array.from({ length: 10 }, (_, index) => addressOf(index)));
  });

  test("gives its next pages with their responses too", async () => {
    const client = clientOf(await serveTen());
    const page = await client.accounts.mrc20Tokens(ADDRESS, { limit: 6 });
    const { data, response } = await page.nextPage().withResponse();
    expect(data.data).toHaveLength(4);
    expect(response.status).toBe(200);
    expect((await data.nextPage()).data).toEqual([]);
  });

  test.each<object>([
    { prefetch: Number.POSITIVE_INFINITY },
    { prefetch: 1.5 },
    { maxItems: Number.NaN },
    { maxItems: 2.5 },
  ])("is not read with %o", async (query) => {
    const client = clientOf(await serveTen());
    const error = await thrown(client.accounts.mrc20Tokens(ADDRESS, query).collect());
    expect(error).toMatchObject({ code: "PARAMETER" });
  });

  test("is not collected up to no number", async () => {
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS);
    expect(await thrown(list.collect({ max: Number.NaN }))).toMatchObject({ code: "PARAMETER" });
    expect(await list.collect({ max: Number.POSITIVE_INFINITY })).toHaveLength(10);
  });
});
