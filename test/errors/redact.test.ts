// The api-key is nowhere but in the header it belongs to: not in errors, hooks, logs, printed or serialised objects.

import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ExplorerClient, isExplorerError } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  json,
  nobody,
  refusal,
  SENTINEL,
  serve,
  success,
  supply,
} from "../http/server.ts";

/** Every way a program might write a value down. */
function everyForm(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null || seen.has(value)) return String(value);
  seen.add(value);
  const own = Object.getOwnPropertyNames(value).map((name) =>
    everyForm((value as Record<string, unknown>)[name], seen),
  );
  const error =
    value instanceof Error ? [value.message, value.stack, everyForm(value.cause, seen)] : [];
  const headers = value instanceof Headers ? [...value].flat() : [];
  return [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)),
    ...own,
    ...error,
    ...headers,
  ].join("\n");
}
const secret = (value: unknown) => expect(everyForm(value)).not.toContain(SENTINEL);

afterEach(() => void vi.restoreAllMocks());

describe("the key is not in", () => {
  test("a client, however it is printed", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    for (const apiKey of [SENTINEL, () => SENTINEL, async () => SENTINEL]) {
      const client = clientOf(server, { apiKey });
      await client.tokens.totalSupply(ADDRESS);
      for (const one of [client, client.accounts, client.accounts.transactions(ADDRESS)])
        secret(one);
    }
  });

  test("any error, even if the server repeats it", async () => {
    const echo = `you are ${SENTINEL}, aren't you? ${encodeURIComponent(SENTINEL)}`;
    const silence = () => {};
    const answers: Parameters<typeof serve>[0][] = [
      ...[400, 401, 404, 408, 429, 500].map(
        (status): Parameters<typeof serve>[0] =>
          (_, response) =>
            json(response, refusal(status, echo), status, { "x-echo": SENTINEL }),
      ),
      (_, response) => json(response, { status: "200", message: echo, results: {} }),
      (_, response) =>
        json(response, { status: "200", message: "not verified", results: { echo } }),
      (_, response) => json(response, echo, 502, { "content-type": "text/plain" }),
      (_, response) => json(response, echo),
      (_, response) => json(response, "<html>", 200, { "content-type": `text/${SENTINEL}` }),
      (_, response) => json(response, supply(SENTINEL)),
      (_, response) => json(response, success({ data: { total_supply: { deep: [SENTINEL] } } })),
      (_, response) => json(response, { [SENTINEL]: 1 }),
      (_, response) => json(response, "", 302, { location: `https://other.invalid/${SENTINEL}` }),
      (_, response) => response.destroy(),
      silence,
    ];
    const codes = new Set<string>();
    for (const answer of answers) {
      const server = await serve(answer);
      const client = clientOf(server, { retry: 0, timeout: answer === silence ? 60 : 10_000 });
      const calls = [
        () => client.tokens.totalSupply(ADDRESS),
        () => client.contracts.abi(ADDRESS),
        () => client.accounts.balances([ADDRESS]),
        () =>
          client.contracts.verify(ADDRESS, {
            contract_name: "A",
            compiler: "v0.8.20",
            runs_optimizer: 1,
            optimization_enabled: true,
            contract_source: "",
          }),
      ];
      for (const call of calls) {
        const error = await Promise.resolve<unknown>(call()).catch((thrown: unknown) => thrown);
        if (isExplorerError(error)) codes.add(error.code);
        secret(error);
      }
    }
    expect([...codes].sort()).toEqual([
      "API",
      "AUTHENTICATION",
      "BATCH",
      "CONNECTION",
      "INVALID_REQUEST",
      "NOT_FOUND",
      "NOT_VERIFIED",
      "RATE_LIMIT",
      "REDIRECT",
      "RESPONSE_VALIDATION",
      "SERVER",
      "TIMEOUT",
      "VERIFICATION",
    ]);
  });

  test("errors of the connection and of the given fetch", async () => {
    secret(
      await clientOf(await nobody(), { retry: 0 })
        .tokens.totalSupply(ADDRESS)
        .catch(String),
    );
    const client = new ExplorerClient({
      baseUrl: "https://explorer.example",
      apiKey: SENTINEL,
      retry: 0,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const key = request.headers.get("api-key");
        throw Object.assign(new TypeError(`could not send ${key}`, { cause: { request, key } }), {
          request,
          config: { headers: { "api-key": key } },
        });
      },
    });
    const error = await client.tokens.totalSupply(ADDRESS).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "CONNECTION" });
    expect((error as Error).message).toContain("could not send [api-key]");
    secret(error);
  });

  test.each([`${SENTINEL}\n`, ` ${SENTINEL}`, `${SENTINEL}é`])(
    "the error about a key that no header can hold: %j",
    async (key) => {
      const options = { baseUrl: "https://explorer.example", retry: 0 };
      let error: unknown;
      try {
        new ExplorerClient({ ...options, apiKey: key });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ code: "PARAMETER" });
      secret(error);
      const asked = new ExplorerClient({ ...options, apiKey: async () => key });
      const later = await asked.tokens.totalSupply(ADDRESS).catch((thrown: unknown) => thrown);
      expect(later).toMatchObject({ code: "PARAMETER" });
      secret(later);
    },
  );

  test("hooks, debug lines and the console", async () => {
    const told: unknown[] = [];
    const lines: string[] = [];
    const consoles = (["debug", "log", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...args) => void told.push(...args)),
    );
    const tell = (event: unknown) => void told.push(event);
    const server = await serve((_, response, count) =>
      count === 1
        ? json(response, refusal(503, `busy ${SENTINEL}`), 503)
        : json(response, success({ data: { total_supply: SENTINEL, x: SENTINEL } })),
    );
    const hooks = {
      onRequest: tell,
      onResponse: tell,
      onRetry: tell,
      onValidationIssue: tell,
    };
    for (const debug of [true, (line: string) => void lines.push(line)])
      await clientOf(server, { hooks, debug, validation: "lenient" }).tokens.totalSupply(ADDRESS);
    expect(told.length).toBeGreaterThan(8);
    expect(lines.length).toBeGreaterThan(1);
    expect(consoles).toHaveLength(5);
    for (const one of told) secret(one);
    secret(lines);
  });
});
