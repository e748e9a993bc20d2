// What several callers get from one response: what one of them changes, no other sees.
import Keyv from "keyv";
import { describe, expect, test } from "vitest";
import type { CacheStore } from "../../src/index.ts";
import { ADDRESS, clientOf, json, serve, success } from "./server.ts";

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

/** A store that returns what it was given, asynchronously. */
function ownStore(): CacheStore {
  const kept = new Map<string, { readonly value: unknown }>();
  return {
    get: async (key) => kept.get(key)?.value,
    set: async (key, value) => void kept.set(key, { value }),
  };
}

describe.each(Object.entries(reads))("%s", (_, read) => {
  test("in flight at once, with and without a signal", async () => {
    const server = await service();
    const client = clientOf(server);
    const pristine = await read(clientOf(server, { dedupe: false }));
    const text = JSON.stringify(pristine);
    const others = [read(client), read(client), read(client)];
    for (const one of others) {
      const result = await one;
      expect(JSON.stringify(result)).toBe(text);
      vandalise(result);
    }
    expect(server.asked).toHaveLength(2);
  });

  test.each<[string, () => CacheStore]>([
    ["a Map", () => new Map()],
    ["a Keyv", () => new Keyv()],
    ["a store of one's own", ownStore],
  ])("from %s", async (_, store) => {
    const server = await service();
    const client = clientOf(server, { cache: store() });
    const text = JSON.stringify(await read(clientOf(server)));
    for (let time = 0; time < 3; time++) {
      const result = await read(client);
      expect(JSON.stringify(result)).toBe(text);
      vandalise(result);
    }
    expect(server.asked).toHaveLength(2);
  });
});

test("a response of one caller is the caller's own", async () => {
  const server = await service();
  const { data } = await clientOf(server).request("C1", { contract_hash: ADDRESS });
  const [first] = data as unknown as [typeof entry];
  first.custom.nested.list.push(3);
  expect(first.custom.nested.list).toHaveLength(3);
});
