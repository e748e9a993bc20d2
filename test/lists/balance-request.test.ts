// Batches of balances that break: what a failed batch says, and that no source or caller can make
// one hang.
import { describe, expect, test } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import { addressOf, clientOf, json, never, refusal, serve, thrown } from "../http/server.ts";

test("a failed batch says how often its requests were sent", async () => {
  const server = await serve((_, response) => json(response, refusal(503, "busy"), 503));
  const addresses = Array.from({ length: 25 }, (_, index) => addressOf(index));
  const client = clientOf(server, { retry: { limit: 2, delay: () => 1 } });
  const error = await thrown(client.accounts.balances(addresses));
  expect(isExplorerError(error, "BATCH")).toBe(true);
  expect(error).toMatchObject({ attempts: server.asked.length });
  expect(server.asked).toHaveLength(6);
  expect((error as Error).message).toContain("Attempts: 6");
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
});
