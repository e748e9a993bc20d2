// Servers that say odd things about waiting, never finish an error, or redirect with credentials: typed errors, in time.
import { afterEach, describe, expect, test, vi } from "vitest";
import { retryAfter } from "../../src/http/retry-after.ts";
import { ExplorerClient, isExplorerError, RedirectError, ServerError } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  HASH,
  json,
  refusal,
  SENTINEL,
  serve,
  success,
  supply,
} from "./server.ts";

const DAY = 86_400_000;
const thrown = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => "nothing",
    (error: unknown) => error,
  );

afterEach(() => void vi.useRealTimers());

describe("the pause a server asks for", () => {
  const now = Date.UTC(2026, 0, 1);
  const inSeconds = (ms: number) => String((now + ms) / 1000);

  test.each<[string, string, number | undefined]>([
    ["twice", "2, 5", 5000],
    ["twice, once as a date", `${new Date(now + 9000).toUTCString()}, 3`, 9000],
    [
      "twice as dates",
      `${new Date(now + 1000).toUTCString()}, ${new Date(now + 4000).toUTCString()}`,
      4000,
    ],
    ["twice, once malformed", "soon, 3", 3000],
    ["as a Unix time", inSeconds(7000), 7000],
    ["as a Unix time in milliseconds", String(now + 7000), 7000],
    ["malformed", "soon", undefined],
    ["negative", "-5", undefined],
  ])("given %s", (_, header, expected) => {
    expect(retryAfter(new Headers({ "retry-after": header }), true, now)).toBe(expected);
  });

  test.each([13, 14, 20, 400])("of %i digits is never short", (digits) => {
    for (const digit of ["1", "9"]) {
      const headers = new Headers({ "retry-after": digit.repeat(digits) });
      expect(retryAfter(headers, true, now)).toBeGreaterThan(365 * DAY);
    }
  });

  test.each([
    ["given twice", ["60", "60"]],
    ["of 13 digits", ["1111111111111"]],
    ["of 30 days", [String((30 * DAY) / 1000)]],
  ])("%s is not followed by a request", async (_, values) => {
    const server = await serve((_asked, response) => {
      response.setHeader("retry-after", values);
      json(response, refusal(503, "later"), 503);
    });
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "SERVER", attempts: 1 });
    expect(JSON.parse(JSON.stringify(error)).retryAfter).toBeGreaterThan(59_000);
  });

  test.each([429, 503])(
    "of 30 days after HTTP %i is waited to its end, if it may be",
    async (status) => {
      vi.useFakeTimers();
      let sent = 0;
      const client = clientOf(
        { url: "https://explorer.example" },
        {
          retry: { limit: 5, maxRetryAfter: Number.POSITIVE_INFINITY },
          fetch: async () => {
            sent++;
            return sent > 1
              ? Response.json(supply("7"))
              : Response.json(refusal(status, "later"), {
                  status,
                  headers: { "retry-after": String((30 * DAY) / 1000) },
                });
          },
        },
      );
      const answer = client.tokens.totalSupply(ADDRESS);
      for (const days of [0.001, 24, 1, 4.9]) {
        await vi.advanceTimersByTimeAsync(days * DAY);
        expect(sent).toBe(1);
      }
      await vi.advanceTimersByTimeAsync(DAY);
      expect(await answer).toBe(7n);
    },
  );
});

describe("an error whose body", () => {
  test.each<[string, number, (write: (text: string) => void) => void]>([
    ["never ends", 300, (write) => write('{"status":"500",')],
    ["never begins", 300, () => {}],
    // As long as the test itself may take: the client must not wait for all of that.
    ["drips", 120_000, (write) => void setInterval(() => write("x"), 50).unref()],
  ])("%s is a ServerError all the same", async (_, timeout, send) => {
    const server = await serve((_asked, response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      response.flushHeaders();
      send((text) => void response.write(text));
    });
    const call = clientOf(server, { retry: 0, timeout }).tokens.totalSupply(ADDRESS);
    expect(await thrown(call)).toBeInstanceOf(ServerError);
  });
});

describe("a redirect with a user and a password", () => {
  test.each<[string, (origin: string) => string]>([
    ["in the same origin", (origin) => origin.replace("//", "//root:hunter2-hunter2@")],
    ["to another origin", () => "https://root:hunter2-hunter2@other.example/"],
    ["without slashes", () => "https:root:hunter2-hunter2@other.example/"],
    ["with backslashes", () => "\\\\root:hunter2-hunter2@other.example"],
    ["that is no URL", () => "http://root:hunter2-hunter2@[broken"],
  ])("%s is not followed, and shows neither", async (_, locationOf) => {
    const server = await serve((_asked, response) => {
      response.writeHead(302, { location: `${locationOf(server.url)}/v1/secret` });
      response.end();
    });
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(RedirectError);
    const { message, location, stack } = error as RedirectError;
    expect(`${message}${location}${stack}${JSON.stringify(error)}`).not.toMatch(/hunter2|root/);
    expect(location).toContain("/v1/secret");
    expect(server.asked).toHaveLength(1);
  });
});

test.each([
  "https://a.example?",
  "https://a.example/#",
  "https://a.example/x?#",
  "https://a.example#x",
])("the base URL %s is refused", (baseUrl) => {
  expect(() => new ExplorerClient({ baseUrl, apiKey: SENTINEL })).toThrow(
    "baseUrl: expected a URL without user, password, query or fragment",
  );
});

test("a failed batch says how often its requests were sent", async () => {
  const server = await serve((_, response) => json(response, refusal(503, "busy"), 503));
  const addresses = Array.from(
    { length: 25 },
    (_, index) => `0x${index.toString(16).padStart(40, "0")}` as const,
  );
  const client = clientOf(server, { retry: { limit: 2, delay: () => 1 } });
  const error = await thrown(client.accounts.balances(addresses));
  expect(isExplorerError(error, "BATCH")).toBe(true);
  expect(error).toMatchObject({ attempts: server.asked.length });
  expect(server.asked).toHaveLength(6);
  expect((error as Error).message).toContain("Attempts: 6");
});

test.each(["application/octet-stream", "text/html; charset=utf-8"])(
  "JSON under %s is read, anything else is refused by its type",
  async (type) => {
    const server = await serve((_, response, count) =>
      json(response, count === 1 ? supply("7") : `${JSON.stringify(supply("7"))}<!-- 1 -->`, 200, {
        "content-type": type,
      }),
    );
    const client = clientOf(server);
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
    await expect(client.tokens.totalSupply(ADDRESS)).rejects.toThrow(
      `Invalid response: the content type is ${type}, not JSON`,
    );
  },
);

test("a page of a deployment that has its own forms is read", async () => {
  const log = {
    timestamp: "2024-01-01T02:00:00.123456+02:00",
    address: ADDRESS,
    data: "0x",
    method: "",
    transaction_hash: HASH,
    transaction_index: "0",
    log_index: "0",
    topics_count: "0",
    topic_0: "",
  };
  const server = await serve((_, response, count) =>
    json(response, success(count === 1 ? { count: "1", data: [log] } : { count: "", data: null })),
  );
  const client = clientOf(server);
  const { data } = await client.eventLogs.list({ address: ADDRESS });
  expect(data).toMatchObject([
    { timestamp: new Date("2024-01-01T00:00:00.123Z"), method: null, topic_0: null },
  ]);
  const empty = await client.eventLogs.list({ address: ADDRESS, offset: 1 });
  expect(empty.data).toEqual([]);
});
