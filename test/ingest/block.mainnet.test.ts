// Blocks of Ethereum mainnet have what no test chain has: receipts without status, rewards, blobs, withdrawals.
import { beforeAll, expect, test } from "vitest";
import { feeOf } from "../../mocks/chain/block-effects.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address, BlockInput, Frame } from "../../mocks/chain/records.ts";
import { readBlock } from "../../mocks/ingest/block.ts";
import type { RpcBlock } from "../../mocks/ingest/block-fields.ts";
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { describeWith, MAINNET, readRecords, readZipped } from "../support/chains.ts";

const ETHER = 10n ** 18n;
const UNTRACED = { chainId: 1, missingTraces: "accept" } as const;

interface TransferRow {
  readonly block: string;
  readonly log: string;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

/** The rows of ethereum-etl: their values are JSON numbers of any size, which `JSON.parse` would round. */
function transferRows(): TransferRow[] {
  const field = (line: string, name: string) =>
    new RegExp(`"${name}": "?([^",}]+)`).exec(line)?.[1] ?? "";
  return readZipped(MAINNET, "etl-17173049-17173050-token_transfers.json.gz")
    .trim()
    .split("\n")
    .map((line) => ({
      block: field(line, "block_number"),
      log: field(line, "log_index"),
      token: field(line, "token_address"),
      from: field(line, "from_address"),
      to: field(line, "to_address"),
      value: field(line, "value"),
    }));
}

function ordered(rows: readonly TransferRow[]): TransferRow[] {
  return [...rows].sort(
    (one, other) => Number(one.block) - Number(other.block) || Number(one.log) - Number(other.log),
  );
}

describeWith(MAINNET, "blocks of mainnet", () => {
  let answers: (RpcBlock & { parity?: unknown; block: { number: string } })[] = [];
  // Not while the tests are collected: they are also where the blocks are not, to be skipped.
  beforeAll(() => {
    answers = [
      ...readRecords(MAINNET, "blocks-with-traces"),
      ...readRecords(MAINNET, "blocks-no-traces"),
    ] as unknown as typeof answers;
  });

  function answersOf(number: number) {
    const found = answers.find(({ block }) => Number(block.number) === number);
    if (found === undefined) throw new Error(`no block ${number} among the mainnet blocks`);
    return found;
  }
  const read = (number: number): BlockInput => readBlock(answersOf(number), UNTRACED);

  test("give the miner issuance and, before London, the whole price", () => {
    const { block, executions } = read(1755635);
    expect(block.miningReward).toBe(5n * ETHER);
    const paid = executions.map(({ transaction }) => feeOf(transaction) ?? 0n);
    expect(block.fees).toBe(paid.reduce((sum, fee) => sum + fee, 0n));
    expect(read(15537393).block.miningReward).toBe(2n * ETHER);
    expect(read(15537394).block.miningReward).toBe(0n);
  });

  test("issue to the miners of uncles as well", () => {
    const traced = readRecords(MAINNET, "traces-only").find(({ number }) => number === 4417196);
    const rewards = ((traced?.parity ?? []) as { type: string; blockHash: string }[]).filter(
      ({ type }) => type === "reward",
    );
    const miner = "0xea674fdde714fd979de3edf0f56aa9716b898ec8";
    const uncle = "0x5a0b54d5dc17e0aadc383d2db43b0a0d3e029c4c";
    const block = {
      number: "0x43666c",
      hash: rewards[0]?.blockHash,
      parentHash: `0x${"00".repeat(32)}`,
      timestamp: "0x0",
      miner,
      gasUsed: "0x0",
      gasLimit: "0x0",
      difficulty: "0x1",
      uncles: [`0x${"00".repeat(32)}`],
      transactions: [],
    };
    const { block: mined, credits } = readBlock({ block, receipts: [], traces: rewards }, UNTRACED);
    // 3, and 1/32 of it for including the uncle, whose miner is one block late and has 7/8.
    const own = 3n * ETHER + (3n * ETHER) / 32n;
    const theirs = (3n * ETHER * 7n) / 8n;
    expect(mined.miningReward).toBe(own + theirs);
    expect(credits).toEqual([
      [miner, -theirs],
      [uncle, theirs],
    ]);
    // Without trace_block's rewards the uncle's height is unknown. Byzantium's first block is one of 3.
    const byzantium = { ...block, number: "0x42ae50" };
    const unrewarded = readBlock({ block: byzantium, receipts: [], traces: null }, UNTRACED);
    expect(unrewarded.block.miningReward).toBe(own);
  });

  test("refuse to guess the reward of an unknown chain", () => {
    const { chainId: _, ...unnamed } = UNTRACED;
    expect(() => readBlock(answersOf(1755634), { ...unnamed, chainId: undefined })).toThrow(
      /block 1755634: cannot compute the reward of a mined block.*chainId/,
    );
    expect(readBlock(answersOf(1755634), { ...unnamed, chainId: 61 }).block.miningReward).toBe(0n);
  });

  test("say the same in both forms of traces", () => {
    for (const number of [15537393, 15537394]) {
      const { parity, ...nested } = answersOf(number);
      const flat = readBlock({ ...nested, traces: parity }, UNTRACED);
      const shape = (frame: Frame) => [
        frame.transaction.hash,
        frame.traceAddress,
        frame.from,
        frame.to ?? frame.created,
        frame.value,
        frame.error === null,
        frame.undone,
        frame.subTraces,
      ];
      const shapes = (body: BlockInput) =>
        body.executions.flatMap(({ frames }) => frames.map(shape));
      expect(shapes(flat)).toEqual(shapes(readBlock(nested, UNTRACED)));
      expect(shapes(flat).length).toBeGreaterThan(0);
      for (const { transaction, frames } of flat.executions) {
        if (transaction.succeeded === false)
          expect(frames.every(({ undone }) => undone)).toBe(true);
      }
    }
  });

  test("have the transfers ethereum-etl finds in them", () => {
    const lines = [17173049, 17173050].map((number) => JSON.stringify(answersOf(number)));
    const chain = parseChain({ blocks: lines }, UNTRACED);
    const rows = transferRows();
    const found = new Map<string, TransferRow>();
    for (const account of new Set(rows.flatMap(({ from, to }) => [from, to]))) {
      for (const standard of ["mrc20", "mrc721"] as const) {
        for (const { log, token, from, to, value } of items(
          chain.transfers(account as Address, standard, {}),
        )) {
          const [block, at] = [String(log.transaction.block.number), String(log.index)];
          const row = { block, log: at, token: token.address, from, to, value: String(value) };
          found.set(`${block}/${at}`, row);
        }
      }
    }
    expect(ordered([...found.values()])).toEqual(ordered(rows));
  });
});
