// Filters of the page's lists: the same records as looking at all of them finds, on the demo chain.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { items } from "../../../../mocks/double/chain/listing.ts";
import { coins, loadDemo } from "../../../../mocks/node.ts";
import type { ViewInput } from "../../../../mocks/workbench/page/service/inspect.ts";
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
  [{ start_block: 20, end_block: 30 }, ({ block }) => block.number >= 20 && block.number <= 30],
  [{ status: "failed", end_block: 50 }, (one) => one.succeeded === false && one.block.number <= 50],
  [{ account }, ({ from, to }) => from === account || to === account],
  [{ account, direction: "in" }, ({ to }) => to === account],
  [
    { account, direction: "out", status: "failed" },
    ({ from, succeeded }) => from === account && succeeded === false,
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

  test("that failed, and those of a method, are counted without looking at them", async () => {
    for (const input of [{ status: "failed" }, { method: "transfer" }] as const)
      expect((await looked.ask("transactions", input)).count).not.toBeNull();
  });
});

test("internal transactions by direction and failure", async () => {
  const all = items(chain.frames(account, {})).reverse();
  const place = (one: { trace_address: readonly number[]; transaction_hash: string }) =>
    `${one.transaction_hash} ${one.trace_address}`;
  for (const [input, isWanted] of [
    [{ direction: "in" }, ({ to, created }) => (to ?? created) === account],
    [{ direction: "out" }, ({ from }) => from === account],
    [{ status: "success" }, ({ undone }) => !undone],
  ] as readonly (readonly [object, (one: (typeof all)[number]) => boolean])[]) {
    const { internal } = await looked.ask("internal", { account, ...input, limit: 100 });
    expect(internal.map(place)).toEqual(
      all
        .filter(isWanted)
        .slice(0, 100)
        .map((one) => `${one.transaction.hash} ${one.traceAddress}`),
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
    expect(found.transfers.slice(0, 5).map(({ value }) => (value ?? 0n) >= middle)).toEqual(
      Array(5).fill(true),
    );
    const least = found.transfers.map(({ log_index, block_number }) => [block_number, log_index]);
    const expected = transfers
      .filter(({ value }) => (value ?? 0n) >= middle)
      .map(({ log_index, block_number }) => [block_number, log_index]);
    expect(least.slice(0, expected.length)).toEqual(expected);
  });

  test("of an account, by direction and token; of a collection, by id", async () => {
    const { transfers } = await looked.ask("transfers", { token, limit: 100 });
    const receiver = `${transfers[0]?.receiver}` as const;
    const given = { account: receiver, direction: "in", token, limit: 100 } as const;
    const found = await looked.ask("transfers", given);
    expect(found.transfers.slice(0, 5)).toEqual(
      transfers.filter((one) => one.receiver === receiver).slice(0, 5),
    );
    const ids = await looked.ask("transfers", { token: collection, limit: 100 });
    const id = `${ids.transfers[0]?.token_id}`;
    const ofId = await looked.ask("transfers", { token: collection, token_id: id, limit: 100 });
    expect(ofId.transfers).toEqual(ids.transfers.filter(({ token_id }) => `${token_id}` === id));
  });
});

test("logs of an event, of all contracts or of one", async () => {
  const approvals = await looked.ask("logs", { event: "Approval", limit: 100 });
  expect(approvals.logs.length).toBeGreaterThan(0);
  expect(new Set(approvals.logs.map(({ event }) => event?.name))).toEqual(new Set(["Approval"]));
  const ofOne = await looked.ask("logs", { event: "Approval", address: token, limit: 100 });
  expect(ofOne.logs).toEqual(approvals.logs.filter(({ address }) => address === token));
});
