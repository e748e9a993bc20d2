// The optional cache keeps responses that can no longer change, and no others.

import Keyv from "keyv";
import { describe, expect, test, vi } from "vitest";
import { operations } from "../../src/contract/index.ts";
import { Cache } from "../../src/http/cache.ts";
import { prepare } from "../../src/http/request.ts";
import type { CacheStore } from "../../src/index.ts";
import {
  ADDRESS,
  addressOf,
  clientOf,
  HASH,
  json,
  never,
  refusal,
  serve,
  skipTime,
  success,
  supply,
} from "./server.ts";

const abi = success({ data: [{ name: "f", type: "function", inputs: [], outputs: [] }] });
const transaction = (block: number, confirmations: number) => ({
  timestamp: "2024-01-01T00:00:00Z",
  sender: ADDRESS,
  receiver: null,
  value: "1",
  confirmations: String(confirmations),
  transaction_hash: HASH,
  transaction_index: "0",
  block_number: String(block),
});
const reward = {
  timestamp: "2024-01-01T00:00:00Z",
  miner: ADDRESS,
  reward: "1",
  fees: "1",
  block_number: "100",
  mining_reward: "0",
};
/** A service that answers each question the same way each time. */
const service = (confirmations: number) =>
  serve(({ url }, response) => {
    if (url.includes("/abi")) json(response, abi);
    else if (url.includes("-status")) json(response, success({ data: { status: "1" } }));
    else if (url.includes("/blocks/")) json(response, success({ data: reward }));
    else if (url.includes("/transactions/") && url.includes("internal"))
      json(response, success({ count: "0", data: [] }));
    else if (url.includes("/transactions"))
      json(response, success({ count: "1", data: [transaction(100, confirmations)] }));
    else json(response, supply("7"));
  });
const stores: [string, () => CacheStore][] = [
  ["a Keyv", () => new Keyv()],
  ["a Map", () => new Map()],
];

describe.each(stores)("with %s", (_, store) => {
  test("the ABI of a verified contract is requested once, also by another client", async () => {
    const server = await service(0);
    const cache = store();
    const first = await clientOf(server, { cache }).contracts.abi(ADDRESS);
    const { data, response } = await clientOf(server, { cache })
      .contracts.abi(ADDRESS)
      .withResponse();
    expect(data).toEqual(first);
    expect(response.headers.get("x-mrc-explorer-cache")).toBe("hit");
    expect(server.asked).toHaveLength(1);
  });

  test("responses on transactions and blocks are cached once they have enough confirmations", async () => {
    for (const [confirmations, times, enough] of [
      [127, 2, undefined],
      [128, 1, undefined],
      [0, 1, 0],
    ] as const) {
      const server = await service(confirmations);
      const client = clientOf(server, { cache: store(), confirmations: enough });
      await client.accounts.transactions(ADDRESS);
      const questions = [
        () => client.transactions.status(HASH),
        () => client.transactions.receiptStatus(HASH),
        () => client.transactions.internalTransactions(HASH),
        () => client.blocks.get(100),
      ];
      for (const ask of questions) {
        const before = server.asked.length;
        const answer = await ask();
        const again = await ask();
        expect(JSON.stringify(again, String)).toBe(JSON.stringify(answer, String));
        expect(server.asked.length - before).toBe(times);
      }
    }
  });
});

/** Every object in a value. */
const parts = (value: unknown): object[] =>
  typeof value === "object" && value !== null
    ? [value, ...Object.values(value).flatMap(parts)]
    : [];

describe("the cache", () => {
  test("keeps responses apart, and none can be changed by who got it", async () => {
    const server = await serve(({ url }, response) => {
      const [name] = /0x\w+/.exec(url) ?? [];
      const inputs = [{ type: "tuple", components: [{ name: "amount", type: "uint256" }] }];
      json(response, success({ data: [{ name, type: "function", inputs, outputs: [] }] }));
    });
    const client = clientOf(server, { cache: new Map() });
    await client.contracts.abi(addressOf(1));
    for (let time = 0; time < 3; time++) {
      const abi = await client.contracts.abi(ADDRESS);
      expect(abi).toMatchObject([
        { name: ADDRESS, inputs: [{ components: [{ name: "amount" }] }] },
      ]);
      for (const part of parts(abi)) Reflect.set(part, "name", "another");
    }
    expect(server.asked).toHaveLength(2);
  });

  test("remembers the blocks of the last 100,000 transactions", async () => {
    const hashOf = (index: number) => `0x${index.toString(16).padStart(64, "0")}` as const;
    const request = (index: number) =>
      prepare("https://explorer.example", operations.X1, { transaction_hash: hashOf(index) });
    const store = new Map<string, unknown>();
    const cache = new Cache(store, () => {});
    const data = Array.from({ length: 100_001 }, (_, index) => ({
      transaction_hash: hashOf(index),
      block_number: 1n,
      confirmations: 1000,
    }));
    await cache.set(request(0), {}, { data }, undefined);
    expect(store.size).toBe(0);
    await cache.set(request(1), {}, {}, undefined);
    expect(store.size).toBe(1);
  });

  test("learns the height of the chain from a single record, too", async () => {
    const server = await serve(({ url }, response) => {
      const number = url.split("/").at(-1);
      json(response, success({ data: { ...reward, block_number: number } }));
    });
    const client = clientOf(server, { cache: new Map() });
    for (const block of [228, 100, 100, 101, 101]) await client.blocks.get(block);
    expect(server.asked).toHaveLength(4);
  });

  test("that another process filled keeps what one caller changes from the next", async () => {
    const server = await service(0);
    const filled = new Map<string, unknown>();
    await clientOf(server, { cache: filled }).contracts.abi(ADDRESS);
    const cache = new Map(structuredClone([...filled]));
    const client = clientOf(server, { cache });
    for (let time = 0; time < 2; time++) {
      const { data } = await client.request("C1", { contract_hash: ADDRESS });
      expect(data).toMatchObject([{ name: "f" }]);
      for (const part of parts(data)) Reflect.set(part, "name", "another");
    }
    expect([...cache.values()].flatMap(parts).every(Object.isFrozen)).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  test("asks the store nothing about what is never cached, and leaves no timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const cache = new Map<string, unknown>();
    const get = vi.spyOn(cache, "get");
    const fetch = async (url: string) => Response.json(url.includes("/abi") ? abi : supply("7"));
    const client = clientOf({ url: "https://explorer.example" }, { cache, fetch });
    await client.tokens.totalSupply(ADDRESS);
    expect(get).not.toHaveBeenCalled();
    await client.contracts.abi(ADDRESS);
    expect([get.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test("stores nothing about a transaction with unknown confirmations", async () => {
    const server = await service(1000);
    const client = clientOf(server, { cache: new Map() });
    await client.transactions.status(HASH);
    await client.transactions.status(HASH);
    expect(server.asked).toHaveLength(2);
  });

  test("stores no response that changes with the head, and no failure", async () => {
    let verified = false;
    const server = await serve(({ url }, response) => {
      if (!url.includes("/abi")) json(response, supply("7"));
      else if (verified) json(response, abi);
      else json(response, refusal(404, "contract is not verified"), 404);
    });
    const cache = new Map<string, unknown>();
    const client = clientOf(server, { cache });
    await client.tokens.totalSupply(ADDRESS);
    await client.contracts.abi(ADDRESS).catch(() => {});
    expect(cache.size).toBe(0);
    verified = true;
    expect(await client.contracts.abi(ADDRESS)).toHaveLength(1);
    expect(cache.size).toBe(1);
  });

  test("with nonsense in it, or that fails, is only not used", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const broken: CacheStore = {
      get: () => Promise.reject(new Error("the store is down")),
      set: () => {
        throw new Error("the store is down");
      },
    };
    const nonsense: CacheStore = { get: () => ({ data: 7 }), set: () => {} };
    // Cannot be frozen.
    const bytes: CacheStore = { get: () => new Uint8Array(8), set: () => {} };
    for (const cache of [broken, nonsense, bytes]) {
      const server = await service(0);
      expect(await clientOf(server, { cache }).contracts.abi(ADDRESS)).toHaveLength(1);
      expect(server.asked).toHaveLength(1);
    }
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

test.each(["get", "set"] as const)(
  "a store whose %s never answers only costs its use",
  async (silent) => {
    const complaint = vi.spyOn(console, "warn").mockImplementation(() => {});
    const fetch = async () => Response.json(success({ data: [] }));
    const asked = vi.fn(never);
    const cache = { get: () => undefined, set: () => {}, [silent]: asked };
    const { contracts } = clientOf({ url: "https://explorer.example" }, { cache, fetch });
    skipTime();
    const call = contracts.abi(ADDRESS);
    await expect.poll(() => asked).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    expect(await call).toEqual([]);
    expect(complaint).toHaveBeenCalledOnce();
    expect(String(complaint.mock.calls[0]?.at(-1))).toContain("Timed out after 1000 ms");
    const signal = AbortSignal.abort(new Error("mine"));
    await expect(contracts.abi(ADDRESS, { signal })).rejects.toThrow("mine");
  },
);
