// The filters of the page's lists return the records that a filter over all records returns.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { items } from "../../mocks/chain/listing.ts";
import { buildChain, coins, loadDemo } from "../../mocks/node.ts";
import type { ViewInput } from "../../mocks/page/service/inspect.ts";
import { type Looked, look } from "./served.ts";

const chain = await loadDemo({ verified: true });
const account = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection = "0x71c95911e9a5d330f4d621842ec243ee1343292e";

let looked: Looked;
beforeAll(async () => {
  looked = await look({ chain });
});
afterAll(() => looked.served.close({ graceMs: 0 }));

const everything = items(chain.allTransactions({})).reverse();
type One = (typeof everything)[number];

const transactionCases: readonly (readonly [ViewInput<"transactions">, (one: One) => boolean])[] = [
  [{}, () => true],
  [{ status: "failed" }, (one) => one.succeeded === false],
  [{ status: "success" }, (one) => one.succeeded === true],
  [{ method: "transfer" }, ({ to, input }) => to !== null && input.startsWith("0xa9059cbb")],
  [
    { method: "0xa9059cbb", status: "failed" },
    ({ succeeded, input }) => succeeded === false && input.startsWith("0xa9059cbb"),
  ],
  [{ min_amount: "0.001" }, ({ value }) => value >= coins("0.001")],
  [
    { min_amount: "0.000000000000000001", max_amount: "1" },
    ({ value }) => value > 0n && value <= coins(1),
  ],
  [{ min_amount: "0.0000000000000000001" }, ({ value }) => value > 0n],
  [{ max_amount: "0" }, ({ value }) => value === 0n],
  [{ start_block: 20, end_block: 30 }, ({ block }) => block.number >= 20 && block.number <= 30],
  [{ status: "failed", end_block: 50 }, (one) => one.succeeded === false && one.block.number <= 50],
  [{ account }, ({ from, to }) => from === account || to === account],
  [{ account, direction: "in" }, ({ to }) => to === account],
  [
    { account, direction: "out", status: "failed" },
    ({ from, succeeded }) => from === account && succeeded === false,
  ],
  [{ error: "0xe450d38c" }, ({ output }) => `${output}`.startsWith("0xe450d38c")],
  [
    { method: "0x42966c68", error: "0xe450d38c" },
    ({ output, input }) => `${output}`.startsWith("0xe450d38c") && input.startsWith("0x42966c68"),
  ],
  [
    { account, error: "0xfb8f41b2" },
    ({ from, output }) => from === account && `${output}`.startsWith("0xfb8f41b2"),
  ],
];

describe("transactions", () => {
  test.each(transactionCases)("with %j", async (input, isWanted) => {
    const wanted = everything.filter(isWanted).map(({ hash }) => hash);
    expect(wanted.length).toBeGreaterThan(0);
    for (const order of ["desc", "asc"] as const) {
      const found: string[] = [];
      let from: string | undefined;
      let count: number | null = null;
      do {
        const page = await looked.ask("transactions", { ...input, order, from, limit: 100 });
        found.push(...page.transactions.map((one) => one.transaction_hash));
        from = page.next ?? undefined;
        count = page.count;
      } while (from !== undefined);
      expect(found).toEqual(order === "desc" ? wanted : wanted.toReversed());
      expect(count ?? wanted.length).toBe(wanted.length);
    }
  });

  test("that failed or call a method are counted by an index", async () => {
    for (const input of [{ status: "failed" }, { method: "transfer" }] as const)
      expect((await looked.ask("transactions", input)).count).not.toBeNull();
  });
});

test("internal transactions by direction, failure, method and amount", async () => {
  const account = "0xb0e4b1c8ba977b4d7141b1f7cb479022e1c76e71";
  const all = items(chain.frames(account, {})).reverse();
  const method = all.find(({ to }) => to === account)?.input.slice(0, 10) ?? "";
  const place = (one: { trace_address: readonly number[]; transaction_hash: string }) =>
    `${one.transaction_hash} ${one.trace_address}`;
  for (const [input, isWanted] of [
    [{ direction: "in" }, ({ to, created }) => (to ?? created) === account],
    [{ direction: "out" }, ({ from }) => from === account],
    [{ status: "success" }, ({ undone }) => !undone],
    [{ status: "failed" }, ({ undone }) => undone],
    [{ method }, ({ input }) => input.startsWith(method)],
    [{ max_amount: "0" }, ({ value }) => value === 0n],
  ] as readonly (readonly [object, (one: (typeof all)[number]) => boolean])[]) {
    const wanted = all.filter(isWanted);
    expect([0, all.length]).not.toContain(wanted.length);
    const { internal } = await looked.ask("internal", { account, ...input, limit: 100 });
    expect(internal.map(place)).toEqual(
      wanted.map((one) => `${one.transaction.hash} ${one.traceAddress}`),
    );
  }
});

describe("transfers", () => {
  test("of a token above an amount, in its decimals", async () => {
    const { transfers } = await looked.ask("transfers", { token, limit: 100 });
    const values = transfers.flatMap(({ value }) => value ?? []).sort((a, b) => (a < b ? -1 : 1));
    const middle = values[Math.floor(values.length / 2)] ?? 0n;
    const amount = `${middle / 10n ** 18n}.${`${middle % 10n ** 18n}`.padStart(18, "0")}`;
    const found = await looked.ask("transfers", { token, min_amount: amount, limit: 100 });
    const expected = transfers.filter(({ value }) => (value ?? 0n) >= middle);
    expect(found.transfers.slice(0, expected.length)).toEqual(expected);
    // A token without decimals.
    const plain = { token: "0x8438ad1c834623cff278ab6829a248e37c2d7e3f", limit: 100 } as const;
    const all = (await looked.ask("transfers", plain)).transfers;
    const min_amount = `${all[0]?.value}`;
    const some = all.filter(({ value }) => value !== null && value >= BigInt(min_amount));
    expect((await looked.ask("transfers", { ...plain, min_amount })).transfers).toEqual(some);
  });

  test("of an account, by direction and token; of a collection, by id", async () => {
    const { transfers } = await looked.ask("transfers", { token, limit: 100 });
    const receiver = `${transfers[0]?.receiver}` as const;
    const given = { account: receiver, direction: "in", token, limit: 100 } as const;
    const found = await looked.ask("transfers", given);
    expect(found.transfers.slice(0, 5)).toEqual(
      transfers.filter((one) => one.receiver === receiver).slice(0, 5),
    );
    // The token's standard counts, not the default of the parameter.
    const { transfers: moved } = await looked.ask("transfers", { token: collection, limit: 100 });
    const holder = moved[0]?.receiver ?? account;
    const ofHolder = await looked.ask("transfers", { token: collection, account: holder });
    expect(ofHolder.transfers[0]).toEqual(moved[0]);
    const ids = await looked.ask("transfers", { token: collection, limit: 100 });
    const id = `${ids.transfers[0]?.token_id}`;
    const ofId = await looked.ask("transfers", { token: collection, token_id: id, limit: 100 });
    expect(ofId.transfers).toEqual(ids.transfers.filter(({ token_id }) => `${token_id}` === id));
    // An id is not an amount.
    for (const none of [{ min_amount: "0" }, { token_id: "0" }])
      expect((await looked.ask("transfers", { token: collection, ...none })).transfers).toEqual([]);
  });
});

test("logs of an event, of all contracts or of one", async () => {
  const approvals = await looked.ask("logs", { event: "Approval", limit: 100 });
  expect(approvals.logs.length).toBeGreaterThan(0);
  expect(new Set(approvals.logs.map(({ event }) => event?.name))).toEqual(new Set(["Approval"]));
  const ofOne = await looked.ask("logs", { event: "Approval", address: token, limit: 100 });
  expect(ofOne.logs).toEqual(approvals.logs.filter(({ address }) => address === token));
});

/** An account that holds tokens with different decimals. */
const holder = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

describe("blocks", () => {
  const all = Array.from({ length: chain.length }, (_, number) => chain.block(number));
  const miner = all.at(-1)?.miner ?? account;
  const numbersOf = async (input: ViewInput<"blocks">) =>
    (await looked.ask("blocks", { limit: 100, ...input })).blocks.map((one) => one.block_number);
  const numbers = (isWanted: (block: NonNullable<(typeof all)[number]>) => boolean) =>
    all.flatMap((block) => (block && isWanted(block) ? [block.number] : [])).reverse();

  test("of a miner, of a range, and those with transactions", async () => {
    const own = numbers((block) => block.miner === miner);
    expect(await numbersOf({ miner })).toEqual(own);
    const [last = 0, first = 0] = [own[1], own.at(-2)];
    expect(await numbersOf({ miner, start_block: first, end_block: last })).toEqual(
      own.slice(1, -1),
    );
    expect(await numbersOf({ start_block: 5, end_block: 7, order: "asc" })).toEqual([5, 6, 7]);
    expect(await numbersOf({ end_block: 0 })).toEqual([0]);
    expect(await numbersOf({ start_block: chain.head.number, end_block: 1e6 })).toHaveLength(1);
    const some = numbers(({ transactionCount }) => transactionCount > 0);
    expect(some.length).toBeLessThan(chain.length);
    expect(await numbersOf({ transactions: "some" })).toEqual(some);
  });
});

describe("what an account holds", () => {
  test("by name, symbol or address, and by amount in the token's decimals", async () => {
    const held = items(chain.holdings(holder, "mrc20"));
    const addressesOf = async (input: Partial<ViewInput<"holdings">>) => {
      const { holdings, count } = await looked.ask("holdings", {
        account: holder,
        limit: 100,
        ...input,
      });
      expect(count).toBe(holdings.length);
      return holdings.map(({ token_address }) => token_address);
    };
    const of = (wanted: typeof held) => wanted.map((one) => one.token.address);
    const one = held.find(({ token }) => token.decimals === 8);
    if (one === undefined) throw new Error("the account holds nothing");
    expect(await addressesOf({})).toEqual(of(held));
    expect(await addressesOf({ name: one.token.address.slice(4, 20) })).toEqual(of([one]));
    expect(await addressesOf({ name: `${one.token.symbol}`.toLowerCase() })).toContain(
      one.token.address,
    );
    const unit = 10n ** BigInt(one.token.decimals ?? 0);
    const amount = `${one.balance / unit}.${`${one.balance % unit}`.padStart(one.token.decimals ?? 0, "0")}`;
    const exactly = { min_amount: amount, max_amount: amount, name: one.token.address };
    expect(await addressesOf(exactly)).toEqual(of([one]));
  });

  test("of a collection: every token with its owner, those of one owner, and one by its id", async () => {
    const all = items(chain.nfts(collection));
    const ids = async (input: object) =>
      (await looked.ask("inventory", { token: collection, limit: 100, ...input })).inventory.map(
        (one) => [one.token_id, one.owner, one.token_uri],
      );
    const of = (wanted: typeof all) => wanted.map((one) => [one.tokenId, one.owner, one.uri]);
    expect(all.length).toBeGreaterThan(2);
    expect(await ids({})).toEqual(of(all));
    const owner = all[0]?.owner;
    expect(await ids({ owner })).toEqual(of(all.filter((one) => one.owner === owner)));
    expect(await ids({ token_id: `${all[1]?.tokenId}` })).toEqual(of(all.slice(1, 2)));
    expect(await ids({ token_id: "0" })).toEqual([]);
  });
});

test("tokens, contracts and holders by name and amount", async () => {
  const { tokens } = await looked.ask("tokens", { name: "aurora" });
  expect(tokens.map(({ token_address }) => token_address)).toContain(token);
  const { contracts } = await looked.ask("contracts", { name: "gallery" });
  expect(contracts.map(({ address }) => address)).toEqual([collection]);
  const all = await looked.ask("token", { address: token, limit: 100 });
  const least = all.holders[2]?.balance ?? 0n;
  const unit = 10n ** BigInt(all.token.token_decimals ?? 0);
  const some = await looked.ask("token", { address: token, min_amount: `${least / unit + 1n}` });
  expect(some.holders).toEqual(
    all.holders.filter(({ balance }) => balance >= (least / unit + 1n) * unit),
  );
  const { accounts } = await looked.ask("accounts", { kind: "contract", limit: 100 });
  expect(accounts.length).toBeGreaterThan(0);
  expect(accounts.filter((one) => !one.is_contract)).toEqual([]);
});

test("an amount of an event has as many digits as its token, or fewer", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice" });
  const bob = builder.account({ name: "bob" });
  const gold = builder.deployMRC20(alice, { decimals: 6, supply: 9_000_000n });
  gold.transfer(alice, bob, 1_500_000n);
  gold.transfer(alice, bob, 2n);
  builder.mine();
  const { ask, served } = await look({ chain: builder });
  try {
    const countOf = async (value: string) =>
      (
        await ask("logs", {
          ...{ address: gold.address, event: "Transfer", values: `value=${value}` },
        })
      ).count;
    for (const value of ["1.5", "1.500000"])
      expect([value, await countOf(value)]).toEqual([value, 1]);
    expect(await countOf("0.000002")).toBe(1);
    await expect(countOf("1.5000001")).rejects.toThrow("values.value");
  } finally {
    await served.close({ graceMs: 0 });
  }
});

test("tokens whose names differ only in case are named with their addresses", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice" });
  const [gold, other, art] = ["Gold", "GOLD", "Art"].map((name) =>
    builder.deployMRC20(alice, { name, symbol: "T", supply: 9n }),
  );
  builder.mine();
  const { ask, served } = await look({ chain: builder });
  try {
    const { names } = await ask("tokens", {});
    const nameOf = (address = "") => names.find((one) => one.address === address)?.name;
    const ends = (address = "") => `${address.slice(0, 6)}…${address.slice(-4)}`;
    expect([gold, other, art].map((token) => nameOf(token?.address))).toEqual([
      ...[`Gold (T ${ends(gold?.address)})`, `GOLD (T ${ends(other?.address)})`, "Art"],
    ]);
  } finally {
    await served.close({ graceMs: 0 });
  }
});
