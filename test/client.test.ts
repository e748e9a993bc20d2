// The public methods: with arguments no type allows they reject with one of our errors, and an operation can be named three ways.

import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExplorer } from "../mocks/index.ts";
import { ExplorerClient, isExplorerError, operations, PagedRequest } from "../src/index.ts";
import {
  ADDRESS,
  as,
  clientOf,
  HASH,
  json,
  refused,
  serve,
  supply,
  unsent,
} from "./http/server.ts";
import { runs } from "./support/runs.ts";

/** A service that refuses, so that a call with valid arguments ends too. */
function refusing() {
  const { baseUrl, fetch } = createExplorer({ apiKeys: ["other"] });
  return new ExplorerClient({ baseUrl, apiKey: "one", retry: 0, fetch });
}
/** The methods of an object, its own and inherited ones. */
const methodsOf = (object: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter(
    (name) => name !== "constructor",
  );
const resources = Object.keys(refusing()) as (keyof ExplorerClient)[];
const methods = [
  ...resources.flatMap((resource) =>
    methodsOf(refusing()[resource]).map((method) => [resource, method] as const),
  ),
  [undefined, "request"] as const,
].map(([resource, method]) => ({
  name: [resource, method].filter(Boolean).join("."),
  resource,
  method,
}));
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, undefined, true, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 5n, "", "0x12"],
    ...[Symbol("s"), Symbol.iterator, () => 1, class {}, /x/, new Date(Number.NaN), new Map()],
    ...[[], [null], {}, Object.create(null), new Proxy({}, {}), [Symbol("s")], new Error("mine")],
    ...[operations.A2, operations.A2.input, Promise.resolve(1), new Uint8Array(3), globalThis],
  ),
  fc.constantFrom<unknown>(ADDRESS, HASH, [ADDRESS], "A2", "accounts.balance", 90n),
  fc.dictionary(
    fc.constantFrom(
      ...["limit", "offset", "startBlock", "endBlock", "simple", "condition", "input", "address"],
      ...["topic_0", "operand", "prefetch", "maxItems", "resume", "onReorganisation", "max"],
      ...["signal", "timeout", "totalTimeout", "retry", "dedupe", "headers", "concurrency"],
      ...["kinds", "from", "depth", "pollInterval", "onError", "source", "contract_source"],
      ...["libraries", "contract_name", "constructor_arguments", "__proto__", "places", "then"],
    ),
    fc.constantFrom<unknown>(
      // No time limit that a watch would go on after.
      ...[null, true, -1.5, Number.NaN, Number.POSITIVE_INFINITY, 5n, "x", Symbol("s"), {}, []],
      ...[Object.create(null), [null], ADDRESS, [Symbol("s")], new Map()],
    ),
    { maxKeys: 3 },
  ),
);
/** The outcomes of all one can do with a result, each until its first item. */
function* uses(result: unknown, argument: unknown): Generator<Promise<unknown>> {
  const { pages, collect, withResponse } = Object(result);
  yield Promise.resolve(result);
  if (typeof withResponse === "function") yield withResponse.call(result);
  if (typeof pages === "function") yield pages.call(result).next();
  if (typeof collect === "function") yield collect.call(result, argument);
  if (typeof Object(result)[Symbol.asyncIterator] === "function")
    yield Object(result)[Symbol.asyncIterator]().next();
}

test.each(methods)("$name rejects whatever it is given", async ({ resource, method }) => {
  const client = refusing();
  const target = resource === undefined ? client : client[resource];
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { maxLength: 4 }), hostile, async (given, argument) => {
      const result: unknown = Reflect.get(target, method).apply(target, given);
      for (const use of uses(result, argument)) {
        const error = await use.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).toSatisfy((one) => isExplorerError(one));
      }
    }),
    { numRuns: runs(60) },
  );
});

test("no client is made with what are no options", () => {
  fc.assert(
    fc.property(hostile, (given) => {
      expect(() => new ExplorerClient(given as never)).toThrow(
        expect.toSatisfy((error) => isExplorerError(error, "PARAMETER")),
      );
    }),
  );
});

test.each([
  [
    "a number in place of a query",
    (client) => client.accounts.transactions(ADDRESS, 10 as never),
    "",
  ],
  [
    "a query in place of options",
    (client) => client.accounts.transactions(ADDRESS, {}, { limit: 3 } as never),
    "limit",
  ],
  [
    "a period in place of options",
    (client) => client.accounts.tokens(ADDRESS, {}, { since: 3 } as never),
    "since",
  ],
  [
    "an unknown option",
    (client) => client.accounts.balance(ADDRESS, { timeOut: 3 } as never),
    "timeOut",
  ],
] as const satisfies readonly [string, (client: ExplorerClient) => PromiseLike<unknown>, string][])(
  "%s is refused",
  async (_, use, path) => {
    const error = await use(refusing()).then(undefined, (reason: unknown) => reason);
    expect(error).toMatchObject({ code: "PARAMETER", issues: [{ path: path ? [path] : [] }] });
  },
);

test("what is missing is named", async () => {
  const client = refusing();
  const issues = async (promise: PromiseLike<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isExplorerError(error, "PARAMETER")
      ? error.issues.map(({ path }) => path.join("."))
      : error;
  };
  // @ts-expect-error: a query is required.
  expect(client.eventLogs.list()).toBeInstanceOf(PagedRequest);
  // @ts-expect-error: a query is required.
  expect(await issues(client.eventLogs.list())).toEqual(["address"]);
  expect(await issues(client.accounts.balances(null as never))).toEqual(["addresses"]);
  expect(await issues(client.accounts.balances(ADDRESS as never))).toEqual(["addresses"]);
  const tooMany = client.accounts.transactions(ADDRESS, { limit: 5000 });
  expect(await issues(tooMany.collect())).toEqual(["limit"]);
  expect(await issues(tooMany.collect(null as never))).toEqual([""]);
  expect(await issues(client.tokens.totalSupply(ADDRESS, null as never))).toEqual([""]);
  const submission = await issues(client.contracts.verify(ADDRESS, null as never));
  expect(submission).toEqual([
    ...["contract_name", "compiler", "runs_optimizer", "optimization_enabled", "contract_source"],
  ]);
});

describe("an operation by reference", () => {
  test("method name and number send the same request", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    const client = clientOf(server);
    const results = [
      await client.request("tokens.totalSupply", { contract_hash: ADDRESS }),
      await client.request("T1", { contract_hash: ADDRESS }),
    ];
    expect(results[0]).toEqual(results[1]);
    expect(new Set(server.asked.map(({ url }) => url)).size).toBe(1);
  });

  test("errors name method and number", async () => {
    const server = await serve(() => {});
    const client = clientOf(server);
    const error = await refused(() => client.request("accounts.balance", { addresses: [] }));
    expect(error.message).toMatch(/^Invalid parameters for accounts\.balance \(A1\): addresses: /);
    const unknown = await refused(() =>
      client.request(as<"A1">("accounts.balanc"), { addresses: [] }),
    );
    expect(unknown.message).toMatch(/one of .*\baccounts\.balance\b/);
    expect(unknown.message).toContain('received "accounts.balanc"');
  });

  test("a definition of one's own is sent to its path", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    const own = { ...operations.T1, path: "/own/{contract_hash}/supply" } as typeof operations.T1;
    await clientOf(server).request(own, { contract_hash: ADDRESS });
    expect(server.asked.map(({ url }) => url)).toEqual([`/own/${ADDRESS}/supply`]);
  });

  const { T1 } = operations;
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a number", 1],
    ["a definition without path", { ...T1, path: undefined }],
    ["one without a schema of its input", { ...T1, input: {} }],
    ["one without a schema of its results", { ...T1, results: undefined }],
    ["one without places", { ...T1, places: undefined }],
    ...(["path", "query", "body"] as const).map(
      (place) =>
        [`one without ${place}`, { ...T1, places: { ...T1.places, [place]: undefined } }] as [
          string,
          unknown,
        ],
    ),
  ])("%s is refused", async (_, reference) => {
    const error = await refused(() => refusing().request(as<"T1">(reference), as({})));
    expect(error.issues.map(({ path }) => path)).toEqual([["operation"]]);
    expect(error.message).toContain("or the definition of an operation");
  });
});

test("a client shows its address and not its key", () => {
  const client = new ExplorerClient({ ...unsent, baseUrl: "https://explorer.example" });
  expect(inspect(client)).toBe('ExplorerClient { baseUrl: "https://explorer.example/" }');
  expect(JSON.stringify(client)).toBe('{"baseUrl":"https://explorer.example/"}');
});
