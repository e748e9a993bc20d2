// What the client leaves to ky, and what it makes ky do: who decides on a retry, failures that only a body reports, and time limits.
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { RetryOptions, RetryState } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  json,
  never,
  nobody,
  PATIENCE,
  refusal,
  serve,
  skipTime,
  submission,
  success,
  supply,
  thrown,
} from "./server.ts";

const other = "0x00000000000000000000000000000000000000ff";

/** A server that refuses all but the last of so many requests. */
const refusing = (status: number, times: number, headers = {}) =>
  serve((_, response, count) =>
    count <= times
      ? json(response, refusal(status, "no"), status, headers)
      : json(response, supply("7")),
  );
const clientThat = (server: { url: string }, shouldRetry: RetryOptions["shouldRetry"]) =>
  clientOf(server, { retry: { limit: 3, delay: () => 1, shouldRetry }, concurrency: 1 });

describe("shouldRetry", () => {
  test("is called with the error and the number of the retry; undefined applies the default rule", async () => {
    const server = await refusing(503, 9);
    const failures: RetryState[] = [];
    const client = clientThat(server, (failure) => void failures.push(failure));
    expect(await thrown(client.tokens.totalSupply(ADDRESS))).toMatchObject({ attempts: 4 });
    expect(failures).toMatchObject(
      [1, 2, 3].map((retryCount) => ({
        error: { code: "SERVER", attempts: retryCount },
        retryCount,
      })),
    );
  });

  test.each([
    ["", () => true],
    [", given later", async () => wait(5, true)],
  ])("true retries an error that would be final%s", async (_, shouldRetry) => {
    const server = await refusing(404, 2);
    expect(await clientThat(server, shouldRetry).tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(server.asked).toHaveLength(3);
  });

  test("false ends the call with the error it was called with, after a timeout, too", async () => {
    for (const server of [await refusing(503, 9), await nobody(), await serve(() => {})]) {
      const shouldRetry = vi.fn((_: RetryState) => false);
      const { tokens } = clientThat(server, shouldRetry);
      const error = await thrown(tokens.totalSupply(ADDRESS, { timeout: 200 }));
      expect(error).toMatchObject({ attempts: 1 });
      expect(shouldRetry.mock.calls.map(([failure]) => failure.error)).toEqual([error]);
    }
  });

  test("is called for a submission only if it cannot have arrived", async () => {
    for (const [server, calls] of [
      [await refusing(503, 9), 0],
      [await serve((_, answer) => answer.destroy()), 0],
      [await nobody(), 1],
    ] as const) {
      const shouldRetry = vi.fn(() => false);
      const { contracts } = clientThat(server, shouldRetry);
      expect(await thrown(contracts.verify(ADDRESS, submission))).toMatchObject({ attempts: 1 });
      expect(shouldRetry).toHaveBeenCalledTimes(calls);
    }
  });

  test("does not shorten the pause a server asks for", async () => {
    const server = await refusing(503, 9, { "retry-after": "3600" });
    const call = clientThat(server, () => true).tokens.totalSupply(ADDRESS);
    expect(await thrown(call)).toMatchObject({ retryAfter: 3_600_000, attempts: 1 });
  });

  test("that throws ends the call with its error", async () => {
    const broken = new Error("no opinion");
    for (const server of [await refusing(503, 9), await nobody()]) {
      const client = clientThat(server, () => {
        throw broken;
      });
      expect(await thrown(client.tokens.totalSupply(ADDRESS))).toBe(broken);
    }
  });

  test("that never resolves blocks no other call, and ends with the signal or totalTimeout", async () => {
    const server = await serve((asked, response) =>
      asked.url.includes(other)
        ? json(response, supply("7"))
        : json(response, refusal(503, "no"), 503),
    );
    const shouldRetry = vi.fn(never);
    const client = clientThat(server, shouldRetry);
    const end = new AbortController();
    const stuck = thrown(client.tokens.totalSupply(ADDRESS, { signal: end.signal }));
    expect(await client.tokens.totalSupply(other)).toBe(7n);
    end.abort("enough");
    expect(await stuck).toBe("enough");
    skipTime();
    const late = thrown(client.tokens.totalSupply(ADDRESS, { totalTimeout: PATIENCE }));
    await expect.poll(() => shouldRetry).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(PATIENCE);
    expect(await late).toMatchObject({ code: "TIMEOUT", scope: "total", attempts: 1 });
  });
});

test("the pause after a 429 does not end lists and batches: their requests wait up to maxRetryAfter", async () => {
  const answer = (url: string) =>
    url.includes("transactions")
      ? success({ count: "0", data: [] })
      : success({ data: [{ address: ADDRESS, balance: "8" }] });
  const answering = async (url: string) => Response.json(answer(url));
  // Loads what is loaded on first use: that takes real time.
  const warm = clientOf({ url: "http://127.0.0.1" }, { fetch: answering });
  await Promise.all([warm.accounts.transactions(ADDRESS).collect(), warm.accounts.balances([])]);
  vi.useFakeTimers();
  const refused = { status: 429, headers: { "retry-after": "20" } };
  const fetch = vi.fn(answering).mockResolvedValueOnce(Response.json(refusal(429, "no"), refused));
  const client = clientOf({ url: "https://explorer.example" }, { retry: 0, fetch });
  await thrown(client.tokens.totalSupply(ADDRESS));
  const list = client.accounts.transactions(ADDRESS).collect();
  const batch = client.accounts.balances([ADDRESS]);
  const outcomes = Promise.all([list, batch]);
  await vi.advanceTimersByTimeAsync(20_001);
  expect(await outcomes).toEqual([[], [{ address: ADDRESS, balance: 8n }]]);
});
