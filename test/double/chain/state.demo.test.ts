// The demo chain, compared with what its node returned for other methods than those of the recording.
import { beforeAll, describe, expect, test } from "vitest";
import type { Chain } from "../../../mocks/double/chain/chain.ts";
import { items } from "../../../mocks/double/chain/listing.ts";
import type { Address, Hash } from "../../../mocks/double/chain/records.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { DEMO, readRecords } from "../../support/chains.ts";
import { type DemoOracle, readDemoOracle } from "../../support/demo-oracle.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

describe("the demo chain", () => {
  let chain: Chain;
  let oracle: DemoOracle;
  beforeAll(async () => {
    chain = await loadChain(DEMO);
    oracle = readDemoOracle();
  });

  test("ends where its oracle does, mined by whom it says", () => {
    expect(chain.head.number).toBe(oracle.head);
    const miners = oracle.miners.map((_, number) => chain.block(number)?.miner);
    expect(miners).toEqual(oracle.miners);
  });

  test("has every native balance, also of those who only hold one since the start", () => {
    const accounts = Object.keys(oracle.nativeBalances) as Address[];
    const balances = accounts.map((account) => [account, String(chain.balance(account))]);
    expect(Object.fromEntries(balances)).toEqual(oracle.nativeBalances);
  });

  test("has every transaction in order, with its outcome", () => {
    expect(chain.transactionCount).toBe(oracle.transactions.length);
    for (const { status, block, ...truth } of oracle.transactions) {
      const transaction = chain.transaction(truth.hash);
      expect(transaction).toMatchObject({ ...truth, succeeded: status === "0x1" });
      expect(transaction?.block.number).toBe(block);
    }
  });

  test("has what failed transactions and frames returned, and nothing of others", () => {
    interface RawFrame {
      readonly error?: string;
      readonly output?: string;
      readonly calls?: readonly RawFrame[];
    }
    const all = (frame: RawFrame): readonly RawFrame[] => [
      frame,
      ...(frame.calls ?? []).flatMap(all),
    ];
    const kept = ({ error, output }: RawFrame) =>
      error === undefined || output === "0x" ? undefined : output;
    const raw = readRecords<{ traces: { result: RawFrame }[] }>(DEMO, "blocks");
    const expected = raw.flatMap(({ traces }) => traces.flatMap(({ result }) => all(result)));
    const outputs = Array.from({ length: chain.length }, (_, number) =>
      (chain.blockInput(number)?.executions ?? []).flatMap(({ transaction, frames }) => [
        transaction.output,
        ...frames.map(({ output }) => output),
      ]),
    ).flat();
    expect(outputs).toEqual(expected.map(kept));
    expect(outputs.filter(Boolean).length).toBeGreaterThan(5);
  });

  test("has every log in order, and finds the Transfers among them", () => {
    for (const [address, truth] of Object.entries(oracle.logs) as [
      Address,
      DemoOracle["logs"][Address],
    ][]) {
      const keys = (topics: readonly Hash[]) =>
        items(chain.logs({ address, topics, operand: "and" })).map(
          ({ transaction, index }) => `${transaction.block.number}/${transaction.index}/${index}`,
        );
      expect(keys([])).toEqual(truth.all);
      expect(keys([TRANSFER])).toEqual(truth.transfers);
    }
  });
});
