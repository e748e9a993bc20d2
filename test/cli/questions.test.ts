// Totals and facts of an account on a chain with payments to oneself, failed payments, delegated
// calls and blocks on both sides of a month's end.
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { runCli } from "./run-cli.ts";

const builder = buildChain({ timestamp: new Date("2026-01-30T00:00:00Z") });
const alice = builder.account({ name: "alice", balance: coins(100) });
const bob = builder.account({ name: "bob", balance: coins(100) });
const bank = builder.deploy(alice);
builder.mine({ timestamp: new Date("2026-01-31T12:00:00Z") });
builder.transfer(alice, bob, coins(3));
// In Berlin, February has begun.
builder.mine({ timestamp: new Date("2026-01-31T23:30:00Z") });
builder.transfer(alice, alice, coins(5));
builder.transfer(bob, alice, coins(7), { fails: "out of gas" });
builder.call(bob, {
  to: bank.address,
  value: coins(2),
  does: (frame) => {
    frame.delegatecall({ to: alice });
    frame.call({ to: alice, value: coins(1) });
  },
});
builder.mine({ timestamp: new Date("2026-02-01T12:00:00Z") });

const mock = createExplorer({ chain: builder });
let served: Awaited<ReturnType<typeof serveExplorer>>;
beforeAll(async () => {
  served = await serveExplorer(mock);
});
afterAll(() => served.close());

async function ask(words: string) {
  const env = { EXPLORER_BASE_URL: served.url, EXPLORER_API_KEY: "any" };
  const { code, out, err } = await runCli(`${words} -f json`.split(" "), { env });
  expect([code, err]).toEqual([0, expect.any(String)]);
  return JSON.parse(out).data;
}

const amounts = (received: bigint, sent: bigint) => ({
  received: `${received}`,
  sent: `${sent}`,
  net: `${received - sent}`,
});

test("a failed payment moves nothing, and a payment to oneself is received and sent", async () => {
  const [total, ...others] = await ask(`accounts totals ${alice}`);
  expect(total).toMatchObject({ records: 4, ...amounts(coins(5), coins(8)) });
  expect(others).toEqual([]);
  expect(BigInt(total.tx_fee)).toBeGreaterThan(0n);
});

test("a delegated call moves nothing", async () => {
  const [total] = await ask(`accounts totals ${alice} --kind internalTransactions`);
  expect(total).toMatchObject({ records: 2, ...amounts(coins(1), 0n) });
});

test("months are those of the time zone", async () => {
  const periods = async (words: string) =>
    (await ask(`accounts totals ${alice} --by month ${words}`)).map(
      ({ period, records }: Record<string, unknown>) => `${period}: ${records}`,
    );
  expect(await periods("--tz UTC")).toEqual(["2026-02: 2", "2026-01: 2"]);
  expect(await periods("--tz Europe/Berlin")).toEqual(["2026-02: 3", "2026-01: 1"]);
  expect(await periods("--tz Europe/Berlin --until 2026-02-01")).toEqual(["2026-01: 1"]);
});

test("counterparties are sorted by amount, without the account itself", async () => {
  const rows = await ask(`accounts totals ${alice} --by counterparty`);
  expect(rows.map(({ counterparty }: Record<string, unknown>) => counterparty)).toEqual([
    bob.toLowerCase(),
    null,
  ]);
});

test("the first transaction is found behind a count that stops at a number", async () => {
  mock.faults.add({ fault: "field", path: "count", value: "2", operation: "A2" });
  const { first_transaction, transactions } = await ask(`accounts info ${alice}`);
  expect(first_transaction).toMatchObject({ block_number: "1", receiver: null });
  expect(transactions).toBeNull();
  mock.reset();
  expect(await ask(`accounts info ${alice}`)).toMatchObject({ first_transaction, transactions: 4 });
});

test("a terminal shows totals in coins, and a transaction by its time and hash", async () => {
  const env = { EXPLORER_BASE_URL: served.url, EXPLORER_API_KEY: "any" };
  const shown = async (words: string) =>
    (await runCli(`${words} ${alice}`.split(" "), { env, columns: 120 })).out;
  const totals = await shown("accounts totals");
  expect(totals).toMatch(/records +received_formatted +sent_formatted +net_formatted/);
  expect(totals).toMatch(/4 +5 +8 +-3 /);
  expect(await shown("accounts info")).toMatch(
    /last_transaction\S* +2026-02-01T12:00:00Z 0x[0-9a-f]{64}\n/,
  );
  const chosen = await shown("accounts totals --columns net,sent");
  expect(chosen).toMatch(new RegExp(`-${coins(3)} +${coins(8)}`));
});
