// The set of active faults, without a transport: what it holds, counts and brings back, and the chain as an index that lags shows it.
import { describe, expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { BlockRange, ChainReader } from "../../mocks/chain/reader.ts";
import type { Fault } from "../../mocks/faults/fault.ts";
import { Faults } from "../../mocks/faults/faults.ts";

const made = () => new Faults({ now: () => 0, head: () => 10 });
const ask = (faults: Faults, parameters: Readonly<Record<string, unknown>> = {}, apiKey = "k") =>
  faults.plan({ operation: "A1", parameters, apiKey });

test("faults are listed in their order, by numbers that are not used again", () => {
  const faults = made();
  const [first, second] = [faults.add({ fault: "empty" }), faults.add({ preset: "offline" })];
  expect(faults.list.map(({ id, fault }) => [id, fault.fault])).toEqual([
    [1, "empty"],
    [2, "reset"],
  ]);
  first.remove();
  expect(faults.list).toMatchObject([{ id: 2, preset: "offline" }]);
  second.remove();
  expect([faults.list, faults.size]).toEqual([[], 0]);
  expect(faults.add({ fault: "empty" })).toMatchObject({ id: 3 });
  expect(faults.list[0]).not.toHaveProperty("preset");
});

test("1,000 faults may be active", () => {
  const faults = made();
  for (let count = 0; count < 1000; count++) faults.add({ fault: "empty" });
  expect(() => faults.add({ fault: "empty" })).toThrow("at most 1000 active faults");
  faults.list[0]?.remove();
  faults.add({ fault: "empty" });
});

test("faults with the same probability do not strike the same requests", () => {
  const faults = made();
  const fault: Fault = { fault: "latency", ms: 1, probability: 0.5 };
  const [one, other] = [faults.add(fault), faults.add(fault)];
  const applied = Array.from({ length: 40 }, () => {
    const before = [one.applied, other.applied];
    ask(faults);
    return one.applied - (before[0] ?? 0) === other.applied - (before[1] ?? 0);
  });
  expect(new Set(applied)).toEqual(new Set([true, false]));
});

test("only a request that a fault changes counts as applied", () => {
  const faults = made();
  const bucket = faults.add({ fault: "token-bucket", requests: 2, perMs: 1000 });
  const stale = faults.add({ fault: "stale", polls: 1 });
  for (let count = 0; count < 5; count++) ask(faults);
  expect([bucket.matched, bucket.applied]).toEqual([5, 3]);
  expect([stale.matched, stale.applied]).toEqual([2, 0]);
});

test("an address is looked for among texts, whatever else a body has", () => {
  const address = `0x${"aB".repeat(20)}`;
  const faults = made();
  faults.add({ fault: "empty", address });
  expect(ask(faults, { addresses: [7, null, address.toLowerCase()] })).toBeDefined();
  expect(ask(faults, { address_hash: address.toUpperCase() })).toBeDefined();
  expect(ask(faults, { addresses: [7, null], limit: 3 })).toBeUndefined();
});

test("a snapshot brings back faults, counts, and what is left of limits, as often as it is used", () => {
  const faults = made();
  faults.add({ fault: "rate-limit", retryAfter: 5, afterCalls: 4 });
  faults.add({ fault: "token-bucket", requests: 3, perMs: 1000 });
  faults.add({ fault: "latency", ms: 1, times: 2 });
  ask(faults);
  const snapshot = faults.snapshot();
  for (let time = 0; time < 2; time++) {
    const statuses = Array.from({ length: 4 }, () => {
      const { names, response } = ask(faults) ?? {};
      return [names, response?.status];
    });
    expect(statuses).toEqual([
      [["latency"], undefined],
      [undefined, undefined],
      [["token-bucket"], 429],
      [["rate-limit"], 429],
    ]);
    faults.clear();
    faults.add({ fault: "empty" });
    faults.restore(snapshot);
    expect(faults.list.map(({ id, matched, applied }) => [id, matched, applied])).toEqual([
      [1, 1, 0],
      [2, 1, 0],
      [3, 1, 1],
    ]);
  }
});

describe("an index that lags by three blocks", () => {
  const chain = generateChain({ seed: "lag", blocks: 16, transactions: 120, accounts: 4 });
  const last = chain.head.number - 3;
  const shorter = chain.fork();
  shorter.rewind(3);
  const accounts = new Set(
    items(chain.allTransactions({})).flatMap(({ from, to }) => (to === null ? from : [from, to])),
  );
  for (const { miner } of [0, 1, 2].flatMap((number) => chain.block(number) ?? []))
    accounts.add(miner);
  const ranges: readonly BlockRange[] = [
    {},
    { endBlock: 0 },
    { endBlock: last - 2 },
    { startBlock: last - 1, endBlock: last + 1 },
    { startBlock: last + 1 },
  ];
  const view = (fault: Fault): ChainReader => {
    const faults = new Faults({ now: () => 0, head: () => chain.head.number });
    faults.add(fault);
    return ask(faults)?.view(chain) ?? chain;
  };

  const blocks = (of: ChainReader) => [
    of.head.number,
    Array.from({ length: last + 5 }, (_, number) => of.block(number)?.hash),
    ...[...accounts].map((one) => items(of.blocksMinedBy(one)).map(({ number }) => number)),
    items(chain.allTransactions({})).map(({ hash }) => of.transaction(hash)?.hash),
  ];
  const lists = (of: ChainReader) =>
    [...accounts].flatMap((address) =>
      ranges.map((range) => [
        items(of.transactions(address, "all", range)).map(({ hash }) => hash),
        items(of.logs({ ...range, address, topics: [], operand: "and" })).map(({ index }) => index),
        ...(["mrc20", "mrc721"] as const).map((standard) =>
          items(of.transfers(address, standard, range)).map(({ log }) => log.transaction.hash),
        ),
      ]),
    );
  const traces = (of: ChainReader) => [
    ...[...accounts].flatMap((address) =>
      ranges.map((range) => items(of.frames(address, range)).map(({ type }) => type)),
    ),
    items(chain.allTransactions({})).map((transaction) => of.framesOf(transaction).count),
  ];
  /** The traces of the blocks that it has. */
  const expected = [
    ...traces(shorter).slice(0, -1),
    items(chain.allTransactions({})).map((transaction) =>
      transaction.block.number > last ? 0 : chain.framesOf(transaction).count,
    ),
  ];

  test("shows what the chain without them has, and its balances at the real head", () => {
    const seen = view({ fault: "stale", blocks: 3 });
    expect(blocks(seen)).toEqual(blocks(shorter));
    expect(lists(seen)).toEqual(lists(shorter));
    expect(traces(seen)).toEqual(expected);
    expect(blocks(shorter)).not.toEqual(blocks(chain));
    expect(lists(shorter)).not.toEqual(lists(chain));
    expect(expected).not.toEqual(traces(chain));
    for (const account of accounts) expect(seen.balance(account)).toBe(chain.balance(account));
  });

  test("in its traces alone shows their transactions without frames", () => {
    const seen = view({ fault: "pending-traces", blocks: 3 });
    expect(blocks(seen)).toEqual(blocks(chain));
    expect(lists(seen)).toEqual(lists(chain));
    expect(traces(seen)).toEqual(expected);
  });
});

test("expectMatched names each fault that was applied to no request", () => {
  const faults = made();
  faults.expectMatched();
  faults.add({ fault: "status", status: 503, operation: "A1", once: true });
  faults.add({ fault: "empty", nth: 3 });
  faults.add({ fault: "reset", operation: "B1" });
  ask(faults);
  expect(() => faults.expectMatched()).toThrowErrorMatchingInlineSnapshot(`
    [FaultError: expected every fault to be applied, but these were not:
      #2 {"fault":"empty","nth":3}: no request matched it
      #3 {"fault":"reset","operation":"B1"}: no request matched it]
  `);
  faults.list[2]?.remove();
  // The first request had the other fault's response.
  for (let count = 0; count < 3; count++) ask(faults);
  faults.expectMatched();
});
