// Options of a request, an iteration and a watch: all that cannot work are named at once, and nothing is sent.
import { describe, expect, test } from "vitest";
import {
  ExplorerClient,
  type Fetch,
  isExplorerError,
  type RequestOptions,
} from "../../src/index.ts";
import { ADDRESS, HASH, issuesOf, never, SENTINEL, submission, thrown, unsent } from "./server.ts";

/** Methods of a resource, and what they are called with before their options. */
const called = (resource: string, names: string, ...given: readonly unknown[]) =>
  names.split(" ").map((method) => [resource, method, given] as const);
const lists = "transactions tokens inventory minedBlocks mrc20Tokens mrc721Tokens watch";
const transfers = "internalTransactions mrc20Transfers mrc721Transfers";

test.each([
  ...called("accounts", "balance", ADDRESS),
  ...called("accounts", "balances", [ADDRESS]),
  ...called("accounts", `${lists} ${transfers}`, ADDRESS, {}),
  ...called("tokens", "totalSupply holderCount", ADDRESS),
  ...called("tokens", "balance inventory", ADDRESS, ADDRESS),
  ...called("tokens", "transfers", ADDRESS, {}),
  ...called("transactions", "status receiptStatus", HASH),
  ...called("transactions", "internalTransactions", HASH, {}),
  ...called("contracts", "abi code", ADDRESS),
  ...called("contracts", "verify", ADDRESS, submission),
  ...called("blocks", "get", 7),
  ...called("eventLogs", "list", { address: ADDRESS }),
  ...called("eventLogs", "watch", { address: ADDRESS, from: 0 }),
])(
  "%s.%s sends the headers of its options, until their signal aborts",
  async (resource, method, given) => {
    const sent: { readonly headers: object; readonly signal: AbortSignal }[] = [];
    const fetch: Fetch = (_, init) => {
      sent.push(init);
      return never();
    };
    const methods = Object(Reflect.get(new ExplorerClient({ ...unsent, fetch }), resource));
    const end = new AbortController();
    const options = { headers: { mine: "7" }, signal: end.signal };
    const call = methods[method](...given, options);
    const ended = Promise.resolve(method === "watch" ? call.next() : call);
    const left = ended.catch((reason: unknown) => reason);
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    end.abort("left");
    expect(await left).toEqual(method === "watch" ? { value: undefined, done: true } : "left");
    for (const { headers, signal } of sent)
      expect([headers, signal.aborted]).toEqual([expect.objectContaining({ mine: "7" }), true]);
  },
);

test("invalid headers alone are named as such, with the operation", async () => {
  const client = new ExplorerClient(unsent);
  const call = client.tokens.totalSupply(ADDRESS, { headers: { "api-key": SENTINEL } });
  expect(await thrown(call)).toMatchObject({
    shortMessage: expect.stringContaining("Invalid headers: headers: expected"),
    operation: "T1",
    issueCount: 1,
  });
});

test("an error names every invalid option of a request", async () => {
  const options: RequestOptions = { timeout: -1, retry: -1, headers: { "api-key": SENTINEL } };
  const client = new ExplorerClient(unsent);
  const { message, paths } = await issuesOf(() => client.tokens.totalSupply(ADDRESS, options));
  expect(paths).toEqual(["timeout", "retry", "headers"]);
  expect(message).toContain("Invalid request options for tokens.totalSupply (T1): 3 problems");
});

test("options among the parameters are to be passed last", async () => {
  const client = new ExplorerClient(unsent);
  const mixed = { limit: 5, timeout: 1, constructor: 1 };
  const { message } = await issuesOf(() => client.accounts.transactions(ADDRESS, mixed as object));
  expect(message).toContain("unknown option timeout; pass request options in the last argument");
  expect(message).toContain("unknown option constructor; expected one of limit,");
  expect(message).not.toContain("limit: expected");
});

describe("reading and watching a list", () => {
  const client = new ExplorerClient(unsent);

  test.each<[string, (client: ExplorerClient) => PromiseLike<unknown>, string]>([
    [
      "an iteration",
      ({ accounts }) => accounts.transactions(ADDRESS, { maxitems: 5 } as object),
      'unknown option maxitems; did you mean "maxItems"?',
    ],
    [
      "a watch of an account",
      ({ accounts }) => accounts.watch(ADDRESS, { pollinterval: 5 } as object).next(),
      'unknown option pollinterval; did you mean "pollInterval"?',
    ],
    [
      "seconds in place of milliseconds",
      () => {
        const real = new ExplorerClient({ baseUrl: "https://explorer.example", apiKey: SENTINEL });
        return real.accounts.watch(ADDRESS, { pollInterval: 1 }).next();
      },
      "pollInterval: expected milliseconds, at least 20, received 1",
    ],
    [
      "an event without its types",
      ({ eventLogs }) => eventLogs.list({ address: ADDRESS, topic_0: "Transfer" as never }),
      'types of its parameters: "Transfer(address,address,uint256)", received "Transfer"',
    ],
  ])("explains a mistake in %s", async (_, use, explanation) => {
    expect((await issuesOf(() => use(client))).message).toContain(explanation);
  });

  test("names every invalid option of an iteration", async () => {
    const query = { prefetch: 1001, maxItems: -1 };
    const list = client.accounts.transactions(ADDRESS, query);
    const { message, paths } = await issuesOf(() => list.collect());
    expect(paths).toEqual(["prefetch", "maxItems"]);
    expect(message).toContain("prefetch: expected an integer from 0 to 1000, received 1001");
  });

  test("names every invalid option of a watch", async () => {
    const options = { pollInterval: -1, from: 1.5, depth: Number.NaN };
    const { message, paths } = await issuesOf(() => client.accounts.watch(ADDRESS, options).next());
    expect(paths).toEqual(["pollInterval", "from", "depth"]);
    expect(message).toContain("depth: expected an integer of at least 0, received NaN");
  });
});

test.each<[string, RequestOptions]>([
  ["retry", { retry: Number.NaN }],
  ["retry", { retry: -1 }],
  ["timeout", { timeout: 0 }],
  ["timeout", { timeout: Number.NaN }],
  ["totalTimeout", { totalTimeout: 0 }],
  ["timeout", { timeout: "5" as never }],
  ["fetchOptions", { fetchOptions: "no-store" as never }],
  ["fetchOptions", { fetchOptions: null as never }],
  ["signal", { signal: {} as never }],
  ["signal", { signal: "never" as never }],
])("%s of a request must be valid: %o", async (name, options) => {
  const error = await thrown(new ExplorerClient(unsent).tokens.totalSupply(ADDRESS, options));
  expect(isExplorerError(error, "PARAMETER") && error.issues[0]?.path).toEqual([name]);
});
