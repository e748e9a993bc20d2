// Search by parts of addresses and hashes, as the page abbreviates them.
import { expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { lookEachTest } from "./served.ts";

const look = lookEachTest();

test("parts of an address or a hash find it, from four digits on", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  const { hash } = builder.transfer(alice, bob, coins(1));
  builder.mine();
  const { ask } = await look({ chain: builder });
  const found = async (q: string) =>
    (await ask("search", { q })).candidates.map((one) =>
      one.kind === "account" ? one.address : one.kind === "transaction" ? one.transaction_hash : "",
    );
  const digits = bob.slice(2);
  for (const q of [
    bob.slice(0, 10),
    bob.slice(0, 10).toUpperCase().replace("0X", "0x"),
    digits.slice(12, 20),
    digits.slice(-8),
    `${bob.slice(0, 8)}…${bob.slice(-6)}`,
    `${bob.slice(0, 8)}...${bob.slice(-6)}`,
    `…${bob.slice(-6)}`,
  ])
    expect([q, await found(q)]).toEqual([q, [bob]]);
  expect(await found(hash.slice(0, 12))).toEqual([hash]);
  // With 0x only a beginning matches. Three digits are too few.
  expect(await found(`0x${digits.slice(12, 20)}`)).toEqual([]);
  expect(await found(`${bob.slice(0, 4)}…`)).toEqual([]);
  expect(await found(`${bob.slice(0, 8)}…${"0".repeat(6)}`)).toEqual([]);
  // The number of a block is not searched as a part.
  builder.mine(1200);
  const only = (await ask("search", { q: "1000" })).candidates;
  expect(only.map(({ kind }) => kind)).toEqual(["block"]);
  const { tried } = await ask("search", { q: "0xffffffff" });
  expect(tried.join()).toContain("parts of the last 1 transaction hashes: none");
});

test.each(["12", "#12", " 1_2 ", "1,2"])("%j is the number of a block", async (q) => {
  const builder = buildChain();
  builder.mine(20);
  const { ask } = await look({ chain: builder });
  const { candidates } = await ask("search", { q });
  expect(candidates).toMatchObject([{ kind: "block", block_hash: builder.chain.block(12)?.hash }]);
});

test("parts of hashes are compared with those of the last 1000 transactions", async () => {
  const chain = generateChain({ transactions: 1003, blocks: 20 });
  const { ask } = await look({ chain });
  const all = chain.allTransactions({});
  const found = async (index: number) => {
    const { hash } = all.at(index);
    const { candidates } = await ask("search", { q: hash.slice(0, 30) });
    return candidates.some((one) => one.kind === "transaction" && one.transaction_hash === hash);
  };
  expect(all.count).toBe(1003);
  expect([await found(2), await found(3), await found(1002)]).toEqual([false, true, true]);
  const { tried } = await ask("search", { q: "0xffffffff" });
  expect(tried.join()).toContain("parts of the last 1000 transaction hashes: none");
});

test("whole names come before beginnings, and beginnings before parts, at most 20", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice" });
  const { ask } = await look({ chain: builder });
  const found = async () => {
    const { candidates } = await ask("search", { q: "transfer" });
    expect(candidates.length).toBeLessThanOrEqual(20);
    return candidates.flatMap((one) => (one.kind === "token" ? [one.token_name] : []));
  };
  const deploy = (name: string) => builder.deployMRC20(alice, { name, symbol: "X", supply: 1n });
  expect(await found()).toEqual([]);
  for (const name of ["My Transfer", "Transferable", "Transfer", "A Transfer", "Transfers"])
    deploy(name);
  builder.mine();
  const rankOf = (name = "") => ["Transfer", "My Transfer", "A Transfer"].indexOf(name);
  expect((await found()).map((name) => rankOf(`${name}`)).join()).toMatch(/^0,-1,-1,[12],[12]$/);
  for (let count = 0; count < 15; count++) deploy(`Transfer ${count}`);
  builder.mine();
  expect(await found()).toHaveLength(20);
});
