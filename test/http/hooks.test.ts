// Hooks and the logger: what they report, and what hooks may change.

import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ExplorerClient, type Logger } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  json,
  PATIENCE,
  refusal,
  SENTINEL,
  serve,
  skipTime,
  supply,
} from "./server.ts";

test("hooks report each request, response and retry in order, with operation, attempt and durations", async () => {
  const told: [string, object][] = [];
  const server = await serve((_, response, count) =>
    count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("7")),
  );
  const client = clientOf(server, {
    hooks: {
      onRequest: (event) => told.push(["request", event]),
      onResponse: (event) => told.push(["response", event]),
      onRetry: (event) => told.push(["retry", event]),
    },
  });
  await client.tokens.totalSupply(ADDRESS);
  const url = `${server.url}/v1/tokens/${ADDRESS}/total-supply`;
  const about = { operation: "T1", name: "tokens.totalSupply", method: "GET", url };
  expect(told).toMatchObject([
    ["request", { ...about, attempt: 1, waited: expect.any(Number) }],
    ["response", { ...about, attempt: 1, status: 503, duration: expect.any(Number) }],
    ["retry", { ...about, attempt: 1, delay: expect.any(Number), error: { code: "SERVER" } }],
    ["request", { ...about, attempt: 2 }],
    ["response", { ...about, attempt: 2, status: 200, bytes: JSON.stringify(supply("7")).length }],
  ]);
});

test("onError reports a call that fails, with its last attempt, and one that is aborted", async () => {
  const failed: object[] = [];
  const started: object[] = [];
  const controller = new AbortController();
  const server = await serve((_, response, count) => {
    if (count < 3) json(response, refusal(503, "busy"), 503);
    else controller.abort(new Error("enough"));
  });
  const client = clientOf(server, {
    retry: { limit: 1, delay: () => 1 },
    hooks: {
      onRequest: ({ call, attempt }) => void started.push({ call, attempt }),
      onError: ({ call, attempt, name, error }) => failed.push({ call, attempt, name, error }),
    },
  });
  const first = await client.blocks.get(1).catch((error: unknown) => error);
  await client.blocks.get(1, { signal: controller.signal }).catch(() => {});
  await client.blocks.get(1, { signal: controller.signal }).catch(() => {});
  expect(started).toEqual([
    { call: 0, attempt: 1 },
    { call: 0, attempt: 2 },
    { call: 1, attempt: 1 },
  ]);
  await expect.poll(() => failed).toHaveLength(2);
  expect(failed).toEqual([
    { call: 0, attempt: 2, name: "blocks.get", error: first },
    { call: 1, attempt: 1, name: "blocks.get", error: new Error("enough") },
  ]);
});

describe("headers that onRequest returns", () => {
  test.each([
    ["", ({ attempt }: { attempt: number }) => ({ "X-Attempt": `${attempt}` })],
    [
      " without a prototype",
      ({ attempt }: { attempt: number }) =>
        Object.assign(Object.create(null), { "x-attempt": `${attempt}` }),
    ],
    [" later", async ({ attempt }: { attempt: number }) => wait(5, { "x-attempt": `${attempt}` })],
    [
      " as Headers",
      ({ attempt }: { attempt: number }) => new Headers({ "x-attempt": `${attempt}` }),
    ],
  ])("are added to each attempt%s, and override those of client and call", async (_, onRequest) => {
    const server = await serve((_asked, response, count) =>
      count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("7")),
    );
    const headers = { "x-attempt": "none", "x-client": "one" };
    const client = clientOf(server, { headers, hooks: { onRequest } });
    await client.tokens.totalSupply(ADDRESS, { headers: { "x-attempt": "any" } });
    expect(server.asked.map((asked) => asked.headers["x-attempt"])).toEqual(["1", "2"]);
    expect(server.asked[0]?.headers["x-client"]).toBe("one");
  });

  test("are reported and ignored if they are invalid or replace the key", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    for (const added of [{ "Api-Key": "other" }, { "no name": "x" }, { x: "line\nbreak" }]) {
      const error = vi.fn();
      const client = clientOf(server, { hooks: { onRequest: () => added }, logger: { error } });
      expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
      expect(error).toHaveBeenCalledWith(
        "mrc-explorer: onRequest returned headers that cannot be sent",
        expect.objectContaining({
          code: "PARAMETER",
          message: expect.stringContaining("Invalid headers: headers: expected"),
        }),
      );
    }
    for (const { headers } of server.asked) expect(headers["api-key"]).toBe(SENTINEL);
  });

  test("are read from plain objects only: a hook may return anything", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const seen: unknown[] = [];
    class Span {
      readonly name = "span";
    }
    const error = vi.fn();
    for (const onRequest of [
      (event: unknown) => seen.push(event),
      () => new Span(),
      () => "name",
      () => ["name"],
      () => null as never,
      () => ({ "x-none": undefined as unknown as string }),
    ])
      await clientOf(server, { hooks: { onRequest }, logger: { error } }).tokens.totalSupply(
        ADDRESS,
      );
    expect(server.asked).toHaveLength(6);
    for (const { headers } of server.asked)
      expect(Object.keys(headers).filter((name) => /name|x-none|^\d/.test(name))).toEqual([]);
    expect(error).not.toHaveBeenCalled();
  });

  test("that never arrive cost one attempt", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const onRequest = ({ attempt }: { attempt: number }) =>
      attempt === 1 ? new Promise<never>(() => {}) : undefined;
    skipTime();
    const call = clientOf(server, { hooks: { onRequest } }).tokens.totalSupply(ADDRESS);
    await vi.advanceTimersByTimeAsync(PATIENCE);
    expect(await call).toBe(7n);
    expect(server.asked).toHaveLength(1);
  });
});

describe("a logger", () => {
  test("gets a line and the event, by level", async () => {
    const lines: [string, string, unknown][] = [];
    const level = (name: string) => (line: string, detail?: unknown) =>
      void lines.push([name, line, detail]);
    const names = ["debug", "info", "warn", "error"];
    const server = await serve((_, response, count) =>
      count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("many")),
    );
    const client = clientOf(server, {
      validation: "lenient",
      logger: Object.fromEntries(names.map((name) => [name, level(name)])),
      hooks: {
        onResponse: ({ status }) => {
          if (status === 200) throw new Error("the hook is broken");
        },
      },
    });
    await client.tokens.totalSupply(ADDRESS);
    const containing = (level: string, line: string, event: object) => [
      level,
      expect.stringContaining(line),
      expect.objectContaining(event),
    ];
    expect(lines).toEqual([
      containing("debug", "mrc-explorer: tokens.totalSupply #1 → GET", { attempt: 1 }),
      containing("debug", "#1 ← 503", { status: 503 }),
      containing("info", "#1 ↻ Server error", { attempt: 1 }),
      containing("debug", "#2 → GET", { attempt: 2 }),
      containing("debug", "#2 ← 200", { status: 200 }),
      ["error", "mrc-explorer: onResponse threw", new Error("the hook is broken")],
      containing("info", "results.data.total_supply", { path: "results.data.total_supply" }),
    ]);
  });

  test("that throws, or lacks levels, changes nothing", async () => {
    const fail = () => {
      throw new Error("the disk is full");
    };
    const supplies = [];
    for (const logger of [{}, { debug: fail, info: fail, warn: fail, error: fail }])
      supplies.push(
        await clientOf(await serve((_, response) => json(response, supply("7"))), {
          logger,
          hooks: { onRequest: fail },
        }).tokens.totalSupply(ADDRESS),
      );
    expect(supplies).toEqual([7n, 7n]);
  });

  test("must be an object with methods", () => {
    for (const logger of ["console", { warn: true }, null])
      expect(
        () => new ExplorerClient({ baseUrl: "https://x", apiKey: "key", logger: logger as Logger }),
      ).toThrow("logger: expected an object with methods for levels: debug, info, warn, error");
  });
});

test.each([
  ["onRequest", "throws"],
  ["onRequest", "rejects"],
  ["onResponse", "throws"],
  ["onRetry", "throws"],
  ["onValidationIssue", "throws"],
])("%s is named where it %s", async (name, how) => {
  const error = vi.fn();
  const server = await serve((_, response, count) =>
    count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("-1")),
  );
  const broken = () => {
    if (how === "rejects") return Promise.reject(new Error("broken"));
    throw new Error("broken");
  };
  await clientOf(server, {
    hooks: { [name]: broken },
    logger: { error },
    validation: "lenient",
  }).tokens.totalSupply(ADDRESS);
  await expect
    .poll(() => error)
    .toHaveBeenCalledWith(`mrc-explorer: ${name} threw`, new Error("broken"));
});
