// The API key: where it comes from, when it is requested, and which error says that it is missing.
import { describe, expect, test, vi } from "vitest";
import { createApiKeyProvider } from "../../src/http/api-key.ts";
import { ExplorerClient } from "../../src/index.ts";
import {
  ADDRESS,
  as,
  clientOf,
  issuesOf,
  json,
  never,
  PATIENCE,
  refused,
  SENTINEL,
  serve,
  skipTime,
  supply,
  unsent,
} from "./server.ts";

describe("the key", () => {
  test("is requested from a function before each attempt, once for attempts that start together", async () => {
    let asked = 0;
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { dedupe: false, apiKey: async () => `key-number-${++asked}` });
    await Promise.all(Array.from({ length: 5 }, () => client.tokens.totalSupply(ADDRESS)));
    await client.tokens.totalSupply(ADDRESS);
    expect(server.asked.map(({ headers }) => headers["api-key"])).toEqual([
      ...Array(5).fill("key-number-1"),
      "key-number-2",
    ]);
  });

  test("fails the call if its function rejects, with the reason", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { apiKey: () => Promise.reject(new Error("vault is sealed")) });
    await expect(client.tokens.totalSupply(ADDRESS)).rejects.toMatchObject({
      code: "PARAMETER",
      issues: [{ path: ["apiKey"], received: "the error: vault is sealed" }],
    });
    expect(server.asked).toHaveLength(0);
  });

  test("and baseUrl default to the environment, without white space around them", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    vi.stubEnv("EXPLORER_BASE_URL", ` ${server.url}\n`);
    vi.stubEnv("EXPLORER_API_KEY", "key-of-the-environment\r\n");
    expect(await new ExplorerClient().tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(await new ExplorerClient(null as never).tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(server.asked[0]?.headers["api-key"]).toBe("key-of-the-environment");
  });

  test("and baseUrl are missing where the environment has them empty, or where there is none", () => {
    vi.stubEnv("EXPLORER_BASE_URL", "");
    vi.stubEnv("EXPLORER_API_KEY", "");
    const missing =
      /^Invalid client options: 2 problems\n\n- baseUrl: .*\n- apiKey: .*EXPLORER_API_KEY/;
    expect(() => new ExplorerClient()).toThrow(missing);
    for (const process of [undefined, {}]) {
      vi.stubGlobal("process", process);
      expect(() => new ExplorerClient()).toThrow(missing);
      vi.unstubAllGlobals();
    }
  });

  test("is warned about once if it goes to another machine over plain HTTP", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const make = (baseUrl: string) => new ExplorerClient({ baseUrl, apiKey: SENTINEL });
    make("http://far.example");
    make("http://far.example/again");
    for (const near of [
      "http://localhost:1",
      "http://my.dapp.localhost",
      "http://127.0.0.1",
      "http://127.10.20.30",
      "http://[::1]:3",
      "https://far.example",
    ])
      make(near);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain("http://far.example");
    const others = ["localhost.example", "mylocalhost", "127.0.0.1.example", "a.127.0.0.1.example"];
    for (const other of others) make(`http://${other}`);
    expect(warn.mock.calls.slice(1).map(([line]) => /http:\/\/(\S+)/.exec(line)?.[1])).toEqual(
      others,
    );
  });
});

test("a key that never arrives costs one attempt, and is requested again", async () => {
  const server = await serve((_, response) => json(response, supply("5")));
  const apiKey = vi.fn(never as () => Promise<string>).mockResolvedValue("key");
  apiKey.mockImplementationOnce(never);
  skipTime();
  const call = clientOf(server, { apiKey }).tokens.totalSupply(ADDRESS);
  await expect.poll(() => apiKey).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(PATIENCE);
  expect(await call).toBe(5n);
  expect(apiKey).toHaveBeenCalledTimes(2);
});

test("a key that arrives too late leaves the next request for it alone", async () => {
  const arriving: ((key: string) => void)[] = [];
  const keyFor = createApiKeyProvider(() => new Promise((arrive) => arriving.push(arrive)));
  const [first, second] = [new AbortController(), new AbortController()];
  const late = keyFor(first.signal);
  first.abort();
  const next = keyFor(second.signal);
  arriving[0]?.("late");
  expect((await late).value).toBe("late");
  const shared = keyFor(second.signal);
  arriving[1]?.("next");
  expect([(await next).value, (await shared).value]).toEqual(["next", "next"]);
  expect(arriving).toHaveLength(2);
});

test.each<[string, unknown, string]>([
  ["", "", "an empty text"],
  [" that begins with a space", " key", "4 characters with white space around them"],
  [" that ends with a space", "key ", "4 characters with white space around them"],
  [" of two lines", "a\nkey", "a line break among 5 characters"],
  [" beyond ASCII", "kéy", "3 characters, some of them outside printable ASCII"],
  [" that is no text", 7, "a value of type number"],
])("an invalid key%s is described and not shown", async (_, key, received) => {
  const ofFunction = new ExplorerClient({ ...unsent, apiKey: as(async () => key) });
  const { issues, message } = await refused(() => ofFunction.tokens.totalSupply(ADDRESS));
  expect(message).toContain(
    "Invalid API key: apiKey: expected one or more characters of printable",
  );
  expect(message).toContain(`, received ${received}`);
  expect(issues).toMatchObject([{ path: ["apiKey"], received }]);
});

describe("additional headers", () => {
  const KEY_HEADER =
    "expected headers without api-key: set the client's option apiKey, received a header api-key";
  const sent = async (headers: unknown) => {
    const server = await serve((_, response) => json(response, supply("7")));
    await clientOf(server, { headers: as(headers) }).tokens.totalSupply(ADDRESS);
    return server.asked[0]?.headers;
  };

  test("may be an object, of which undefined values are left out, or Headers", async () => {
    const headers = await sent({ "X-One": "1", "x-two": undefined });
    expect(headers).toMatchObject({ "x-one": "1", "api-key": SENTINEL });
    expect(headers).not.toHaveProperty("x-two");
    expect(await sent(new Headers({ "x-one": "1" }))).toMatchObject({ "x-one": "1" });
  });

  test.each<[unknown, string]>([
    [
      { "x y": "secret" },
      "expected valid HTTP header names and values, received headers named x y",
    ],
    [
      { a: "1", b: "sec\nret" },
      "expected valid HTTP header names and values, received headers named a, b",
    ],
    ["secret", "expected valid HTTP header names and values"],
    [null, "expected valid HTTP header names and values, received null"],
    [{ "API-Key": "secret" }, KEY_HEADER],
    [new Headers({ "api-key": "secret" }), KEY_HEADER],
  ])("that cannot be sent are named without their values: %j", async (headers, expected) => {
    const { message, paths } = await issuesOf(
      () => new ExplorerClient({ ...unsent, headers: as(headers) }),
    );
    expect(paths).toEqual(["headers"]);
    expect(message).toContain(`Invalid headers: headers: ${expected}`);
    expect(message).not.toContain("secret");
  });
});
