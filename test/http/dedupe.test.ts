// Equal requests that are in flight at once share a response, and what one caller changes in it, no other sees.

import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { InFlightRequests } from "../../src/http/dedupe.ts";
import { ADDRESS, clientOf, gate, json, never, serve, success, supply } from "./server.ts";

/** Fields that are handed on as received: unknown ones, and those of an ABI's parameters. */
const component = { name: "x", type: "uint256", extra: { deep: ["kept"] } };
const entry = {
  type: "function",
  name: "f",
  inputs: [{ name: "p", type: "tuple", components: [component] }],
  outputs: [],
  custom: { nested: { list: [1, { two: 2 }] } },
};
const service = () =>
  serve(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    json(response, success({ data: [entry] }));
  });
type Client = ReturnType<typeof clientOf>;
const reads: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  "contracts.abi": (client) => client.contracts.abi(ADDRESS),
  "request C1": (client) => client.request("C1", { contract_hash: ADDRESS }),
};
/** Changes whatever lets itself be changed. */
function vandalise(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const one of Object.values(value)) vandalise(one);
  Reflect.set(value, "added", true);
  for (const key of Reflect.ownKeys(value)) Reflect.deleteProperty(value, key);
}

describe("equal requests in flight", () => {
  test("each have a response to read, also of a balance", async () => {
    const server = await serve((asked, response) =>
      json(
        response,
        asked.method === "POST"
          ? success({ data: [{ address: ADDRESS, balance: "5" }] })
          : supply("7"),
      ),
    );
    const { accounts, tokens } = clientOf(server);
    for (const ask of [() => tokens.totalSupply(ADDRESS), () => accounts.balance(ADDRESS)]) {
      const both = await Promise.all([ask().withResponse(), ask().withResponse()]);
      for (const { response } of both) {
        expect(response).toMatchObject({ ok: true, status: 200, url: expect.stringMatching(/v1/) });
        expect(await response.json()).toMatchObject({ status: "200" });
      }
    }
    expect(server.asked).toHaveLength(2);
  });

  test("are sent again once the first is done", async () => {
    const server = await serve((_, response, count) => json(response, supply(`${count}`)));
    const client = clientOf(server);
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(1n);
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(2n);
  });

  test("continue if one caller aborts", async () => {
    const { opened, open } = gate();
    const { opened: asked, open: ask } = gate();
    const server = await serve(async (_, response) => {
      ask();
      await opened;
      json(response, supply("7"));
    });
    const client = clientOf(server);
    const leaving = new AbortController();
    const left = client.tokens.totalSupply(ADDRESS, { signal: leaving.signal });
    const staying = client.tokens.totalSupply(ADDRESS);
    await asked;
    leaving.abort("enough");
    open();
    await expect(left).rejects.toBe("enough");
    expect(await staying).toBe(7n);
    expect(server.asked).toHaveLength(1);
  });

  test("are aborted once every caller has aborted", async () => {
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

  test("are not sent once every caller has aborted, at whatever step", async () => {
    const sentAfter = async (steps: number) => {
      let sent = 0;
      const fetch = () => {
        sent++;
        return never();
      };
      const client = clientOf({ url: "https://explorer.test" }, { fetch });
      const leaving = new AbortController();
      const call = client.tokens.totalSupply(ADDRESS, { signal: leaving.signal });
      const left = expect(call).rejects.toBe("left");
      for (let step = 0; step < steps; step++) await undefined;
      const before = sent;
      leaving.abort("left");
      await left;
      await setImmediate();
      return [before, sent - before];
    };
    const outcomes = new Set<string>();
    for (let steps = 0; steps < 100; steps++) outcomes.add(`${await sentAfter(steps)}`);
    expect([...outcomes]).toEqual(["0,0", "1,0"]);
  });
});

test("an aborted request that ends late leaves its successor to be shared", async () => {
  const requests = new InFlightRequests<number>();
  const ends: ((value: number) => void)[] = [];
  const join = (signal?: AbortSignal) =>
    requests.join("key", signal, () => new Promise((end) => ends.push(end)));
  const leaving = new AbortController();
  const left = join(leaving.signal);
  leaving.abort("left");
  const second = join();
  ends[0]?.(1);
  await expect(left).rejects.toBe("left");
  await setImmediate();
  const third = join();
  ends[1]?.(2);
  expect([await second, await third, ends.length]).toEqual([2, 2, 2]);
});

test.each(Object.entries(reads))(
  "%s in flight at once: what one caller changes, no other sees",
  async (_, read) => {
    const server = await service();
    const client = clientOf(server);
    const text = JSON.stringify(await read(clientOf(server, { dedupe: false })));
    const others = [read(client), read(client), read(client)];
    for (const one of others) {
      const result = await one;
      expect(JSON.stringify(result)).toBe(text);
      vandalise(result);
    }
    expect(server.asked).toHaveLength(2);
  },
);
