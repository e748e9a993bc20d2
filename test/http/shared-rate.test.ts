// `rateLimit.acquire`: a limit that several processes share decides when a request starts.
import { describe, expect, test } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, nobody, refusal, SENTINEL, serve, supply } from "./server.ts";

const rate = { requests: 1_000, perMs: 1 };
const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;

describe("a shared limit", () => {
  test("is asked before each attempt, retries included", async () => {
    const log: string[] = [];
    const server = await serve((_, response, count) => {
      log.push("request");
      if (count === 1) json(response, refusal(503, "busy"), 503);
      else json(response, supply("1"));
    });
    const acquire = async () => {
      await null;
      log.push("acquired");
    };
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, retry: { delay: () => 1 } });
    await client.tokens.totalSupply(ADDRESS);
    expect(log).toEqual(["acquired", "request", "acquired", "request"]);
  });

  test("holds requests back until it lets them start, within the client's concurrency", async () => {
    const waiting: (() => void)[] = [];
    const server = await serve((_, response) => json(response, supply("1")));
    const acquire = () => new Promise<void>((start) => waiting.push(start));
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, concurrency: 2 });
    const calls = [1, 2, 3].map((n) => client.tokens.totalSupply(address(n)));
    await expect.poll(() => waiting.length).toBe(2);
    expect(server.asked).toHaveLength(0);
    waiting.shift()?.();
    await calls[0];
    await expect.poll(() => waiting.length).toBe(2);
    expect(server.asked).toHaveLength(1);
    for (const start of waiting) start();
    await Promise.all(calls);
    expect(server.asked).toHaveLength(3);
  });

  test("counts towards totalTimeout and not towards timeout", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    const signals: AbortSignal[] = [];
    const acquire = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, timeout: 20 });
    const call = client.tokens.totalSupply(ADDRESS, { totalTimeout: 1000 });
    await expect(call).rejects.toMatchObject({ code: "TIMEOUT", scope: "total", attempts: 0 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(server.asked).toHaveLength(0);
  });

  test("ends with the call's own signal, and gives its slot to the next call", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    let hangs = true;
    const acquire = () => (hangs ? new Promise(() => {}) : undefined);
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, concurrency: 1 });
    const controller = new AbortController();
    const call = client.tokens.totalSupply(ADDRESS, { signal: controller.signal });
    controller.abort(new Error("left the page"));
    await expect(call).rejects.toThrow("left the page");
    hangs = false;
    await client.tokens.totalSupply(ADDRESS);
  });

  test("that fails ends the call with an error that says so and shows no key", async () => {
    const server = await nobody();
    const down = new Error("connect ECONNREFUSED redis:6379");
    const acquire = () => Promise.reject(down);
    const client = clientOf(server, { rateLimit: { ...rate, acquire } });
    const error = await client.tokens.totalSupply(ADDRESS).catch((error: unknown) => error);
    if (!isExplorerError(error, "PARAMETER")) throw error;
    expect(error.shortMessage).toMatch(/^Could not acquire a slot of the shared rate limit/);
    expect(error.message).toContain("ECONNREFUSED redis:6379");
    expect(error.message).not.toContain(SENTINEL);
  });

  test("does not let a request start during the pause after a 429", async () => {
    const slots: (() => void)[] = [];
    const server = await serve((_, response, count) =>
      count === 1
        ? json(response, refusal(429, "slow down"), 429, { "retry-after": "0.3" })
        : json(response, supply("1")),
    );
    const acquire = () => new Promise<void>((start) => slots.push(start));
    let retries = 0;
    const hooks = { onRetry: () => void retries++ };
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, concurrency: 2, hooks });
    const calls = [1, 2].map((n) => client.tokens.totalSupply(address(n)));
    await expect.poll(() => slots.length).toBe(2);
    slots.shift()?.();
    await expect.poll(() => retries).toBe(1);
    const [refused] = server.asked;
    const freeing = setInterval(() => slots.shift()?.(), 1);
    await Promise.all(calls);
    clearInterval(freeing);
    for (const { at } of server.asked.slice(1))
      expect(at - (refused?.at ?? 0)).toBeGreaterThan(290);
  });

  test("must be a function", () => {
    const wrong = { rateLimit: { ...rate, acquire: "redis" as never } };
    expect(() => clientOf({ url: "https://explorer.example" } as never, wrong)).toThrow(
      'rateLimit.acquire: expected a function, received "redis"',
    );
  });
});
