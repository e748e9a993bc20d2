// What is read of a block as a node returns it.
import { describe, expect, test } from "vitest";
import { readBlock } from "../../mocks/ingest/block.ts";
import type { RpcBlock } from "../../mocks/ingest/block-fields.ts";
import { DEMO, readRecords } from "../support/chains.ts";

const BOB = "0xc0de000000000000000000000000000000000002";

interface Recorded extends RpcBlock {
  readonly block: { readonly baseFeePerGas: string };
  readonly receipts: readonly {
    readonly logs: readonly object[];
    readonly effectiveGasPrice: string;
    readonly gasUsed: string;
  }[];
}

const several = readRecords<Recorded>(DEMO, "blocks").find(
  ({ receipts }) => receipts.filter(({ logs }) => logs.length > 0).length > 2,
) as Recorded;

const indexesIn = (block: RpcBlock) =>
  readBlock(block, { chainId: 1717 }).executions.flatMap(({ logs }) =>
    logs.map(({ index }) => index),
  );

test("positions that ascend stay as the node has them", () => {
  const receipts = several.receipts.map((receipt, at) => ({
    ...receipt,
    logs: receipt.logs.map((log, index) => ({ ...log, logIndex: 100 * at + index })),
  }));
  expect(Math.max(...indexesIn({ ...several, receipts }))).toBeGreaterThan(100);
});

/** The block as it is read with a change, what is missing of it, and the block without the change. */
function changed(change: (given: { block: Fields; receipts: Fields[] }) => void) {
  const given = structuredClone(several) as unknown as { block: Fields; receipts: Fields[] };
  change(given);
  const missing: string[] = [];
  const options = { chainId: 1717, onMissing: (what: string) => missing.push(what) };
  return { read: readBlock(given, options), missing, whole: readBlock(several, options) };
}
type Fields = Record<string, unknown>;

const logsOf = ({ executions }: ReturnType<typeof readBlock>) =>
  executions.flatMap(({ logs }) => logs.map(({ index, topics }) => ({ index, topics })));

test("receipts in another order are those of their transactions", () => {
  const { read, missing, whole } = changed(({ receipts }) => receipts.reverse());
  expect(missing).toEqual([]);
  expect(logsOf(read)).toEqual(logsOf(whole));
  expect(read.executions.map(({ transaction }) => transaction.gasUsed)).toEqual(
    whole.executions.map(({ transaction }) => transaction.gasUsed),
  );
});

describe("what cannot be read of a list is left out, and named", () => {
  const at = several.receipts.findIndex(({ logs }) => logs.length > 0);
  const withLog = (change: (log: Fields) => void) =>
    changed(({ receipts }) => (Object(receipts[at]).logs as Fields[]).slice(0, 1).forEach(change));

  test.each([
    ["data", "0x1"],
    ["address", "0x1"],
    ["address", undefined],
    ["topics", ["0x12"]],
  ])("an event whose %s is %j", (field, value) => {
    const { read, missing, whole } = withLog((log) => {
      log[field] = value;
    });
    expect(missing).toEqual([expect.stringContaining(`receipts[${at}].logs[0].${field}`)]);
    expect(logsOf(read)).toEqual(logsOf(whole).slice(1));
  });

  test("an event without a list of topics has none", () => {
    const { read, missing, whole } = withLog((log) => {
      log.topics = null;
    });
    expect(missing).toEqual([]);
    const [first, ...others] = logsOf(whole);
    expect(logsOf(read)).toEqual([{ ...first, topics: [] }, ...others]);
  });

  test.each([
    ["amount", { address: BOB, amount: "much" }],
    ["address", { address: null, amount: "0x1" }],
  ])("a withdrawal without %s", (field, withdrawal) => {
    const { read, missing } = changed(({ block }) => {
      block.withdrawals = [withdrawal, { address: BOB, amount: "0x2" }];
    });
    expect(missing).toEqual([expect.stringContaining(`block.withdrawals[0].${field}: expected`)]);
    expect(read.credits).toContainEqual([BOB, 2_000_000_000n]);
  });
});

test.each([
  ["base fee and tip", { maxFeePerGas: 100n, maxPriorityFeePerGas: 3n }, 13n],
  ["the cap below them", { maxFeePerGas: 12n, maxPriorityFeePerGas: 3n }, 12n],
  ["a single price", { gasPrice: 17n }, 17n],
])(
  "a transaction without an effective price, or with one above 256 bits, pays %s",
  (_, fees, price) => {
    for (const unreadable of [undefined, `0x1${"0".repeat(64)}`]) {
      const { read, missing } = changed(({ block, receipts: [receipt = {}] }) => {
        const [transaction] = block.transactions as Fields[];
        block.baseFeePerGas = "0xa";
        for (const name of ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] as const)
          Object.assign(transaction ?? {}, { [name]: hex(Object(fees)[name]) });
        receipt.effectiveGasPrice = unreadable;
      });
      expect(read.executions[0]?.transaction.gasPrice).toBe(price);
      expect(missing).toEqual(
        unreadable ? [expect.stringContaining("receipts[0].effectiveGasPrice")] : [],
      );
    }
  },
);
const hex = (value: bigint | undefined) =>
  value === undefined ? undefined : `0x${value.toString(16)}`;

test("blobs are paid for also where receipts do not mention them, as Hardhat's", () => {
  const block = several.block as Recorded["block"] & {
    readonly transactions: readonly { readonly from: string }[];
  };
  const [first, ...others] = block.transactions;
  const hashes = ["01", "02"].map((byte) => `0x${byte.repeat(32)}`);
  const withBlobs = {
    ...several,
    block: { ...block, transactions: [{ ...first, blobVersionedHashes: hashes }, ...others] },
  };
  const { credits } = readBlock(withBlobs, { chainId: 1717 });
  expect(credits).toEqual([[first?.from, -2n * 131_072n]]);
  expect(readBlock(several, { chainId: 1717 }).credits).toEqual([]);
});

test("the miner gets what is paid above the base fee, which is burnt", () => {
  const base = BigInt(several.block.baseFeePerGas);
  const paid = several.receipts.map(
    (one) => (BigInt(one.effectiveGasPrice) - base) * BigInt(one.gasUsed),
  );
  expect(base).toBeGreaterThan(0n);
  expect(readBlock(several, { chainId: 1717 }).block.fees).toBe(
    paid.reduce((sum, fee) => sum + fee, 0n),
  );
});
