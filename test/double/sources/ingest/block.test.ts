// What is read of a block as a node returns it.
import { expect, test } from "vitest";
import { type RpcBlock, readBlock } from "../../../../mocks/double/sources/ingest/block.ts";
import { DEMO, readRecords } from "../../../support/chains.ts";

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
