// How many requests leave at once and in a time, who goes first, and that one refusal holds everybody back.
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ADDRESS, clientOf, HASH, json, refusal, serve, success, supply } from "./server.ts";

const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;
const many = (n: number) => Array.from({ length: n }, (_, index) => address(index));

describe("pacing", () => {
  test("concurrency bounds what is under way across the whole client", async () => {
    const server = await serve(async (asked, response) => {
      await wait(5);
      json(
        response,
        asked.url.includes("status") ? success({ data: { status: "1" } }) : supply("1"),
      );
    });
    const client = clientOf(server, { concurrency: 3 });
    await Promise.all([
      ...many(20).map((one) => client.tokens.totalSupply(one)),
      client.transactions.status(HASH),
    ]);
    expect(server.asked).toHaveLength(21);
    expect(server.most()).toBe(3);
  });

  test("requests leave in the order they were made", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    const client = clientOf(server, { concurrency: 1 });
    await Promise.all(many(10).map((one) => client.tokens.totalSupply(one)));
    expect(server.asked.map(({ url }) => url.split("/")[3])).toEqual(many(10));
  });

  test("a 429 holds back all that wait, not only who was refused", async () => {
    const server = await serve((_, response, count) =>
      count === 1
        ? json(response, refusal(429, "slow down"), 429, { "retry-after": "0.3" })
        : json(response, supply("1")),
    );
    const client = clientOf(server, { concurrency: 1 });
    await Promise.all(many(5).map((one) => client.tokens.totalSupply(one)));
    const [first, ...others] = server.asked.map(({ at }) => at);
    expect(others).toHaveLength(5);
    for (const at of others) expect(at - (first ?? 0)).toBeGreaterThan(290);
  });

  test("a call without time for the pause is not even sent", async () => {
    const server = await serve((_, response) =>
      json(response, refusal(429, "slow down"), 429, { "retry-after": "20" }),
    );
    const client = clientOf(server, { retry: 0 });
    await client.tokens.totalSupply(ADDRESS).catch(() => {});
    await expect(
      client.tokens.totalSupply(address(1), { totalTimeout: 1000 }),
    ).rejects.toMatchObject({ code: "RATE_LIMIT", attempts: 0 });
    expect(server.asked).toHaveLength(1);
  });

  test("nothing keeps a program from ending once its requests are done", async () => {
    const { spawnSync } = await import("node:child_process");
    const script = `
      import { createServer } from "node:http";
      import { ExplorerClient } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)};
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "application/json", connection: "close" });
        response.end(${JSON.stringify(JSON.stringify(supply("7")))});
      }).listen(0, async () => {
        const client = new ExplorerClient({
          baseUrl: "http://127.0.0.1:" + server.address().port,
          apiKey: "key-of-the-child",
          timeout: 600_000,
          totalTimeout: 600_000,
          rateLimit: { requests: 1, perMs: 600_000 },
        });
        console.log(await client.tokens.totalSupply(${JSON.stringify(ADDRESS)}));
        server.close();
      });`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(child.stdout).toBe("7n\n");
    expect(child.signal).toBeNull();
  });
});

describe("equal questions under way at once", () => {
  test("share one request", async () => {
    const server = await serve(async (_, response) => {
      await wait(10);
      json(response, supply("7"));
    });
    const client = clientOf(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.tokens.totalSupply(ADDRESS)),
    );
    expect(new Set(answers)).toEqual(new Set([7n]));
    expect(server.asked).toHaveLength(1);
  });

  test("are asked one by one if told so", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { dedupe: false });
    await Promise.all([client.tokens.totalSupply(ADDRESS), client.tokens.totalSupply(ADDRESS)]);
    expect(server.asked).toHaveLength(2);
  });

  test("are asked anew when the first is done", async () => {
    const server = await serve((_, response, count) => json(response, supply(`${count}`)));
    const client = clientOf(server);
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(1n);
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(2n);
  });

  test("one who leaves does not take the others along", async () => {
    const server = await serve(async (_, response) => {
      await wait(30);
      json(response, supply("7"));
    });
    const client = clientOf(server);
    const leaving = new AbortController();
    const left = client.tokens.totalSupply(ADDRESS, { signal: leaving.signal });
    const staying = client.tokens.totalSupply(ADDRESS);
    leaving.abort("enough");
    await expect(left).rejects.toBe("enough");
    expect(await staying).toBe(7n);
    expect(server.asked).toHaveLength(1);
  });

  test("when all have left the request itself is given up", async () => {
    let closed = false;
    const server = await serve((_, response) => {
      response.once("close", () => {
        closed = true;
      });
    });
    const client = clientOf(server);
    const signals = [new AbortController(), new AbortController()];
    const calls = signals.map(({ signal }) => client.tokens.totalSupply(ADDRESS, { signal }));
    await expect.poll(() => server.asked.length).toBe(1);
    for (const one of signals) one.abort(new Error("left"));
    for (const call of calls) await expect(call).rejects.toThrow("left");
    await expect.poll(() => closed).toBe(true);
  });
});
