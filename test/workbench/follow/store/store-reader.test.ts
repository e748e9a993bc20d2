// How the files of a store become a chain again: where each form of the blocks ends, and which calls of the node still count.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { feeOf } from "../../../../mocks/double/chain/block-effects.ts";
import { type RpcBlock, readBlock } from "../../../../mocks/double/sources/ingest/block.ts";
import type { Manifest } from "../../../../mocks/double/sources/ingest/load-chain.ts";
import { LineFile } from "../../../../mocks/workbench/follow/store/line-file.ts";
import { PackedBlocks } from "../../../../mocks/workbench/follow/store/packed-blocks.ts";
import {
  BlockEnds,
  StoredCalls,
  StoreReader,
} from "../../../../mocks/workbench/follow/store/store-reader.ts";
import { DEMO, readRecords } from "../../../support/chains.ts";

test("the ends of blocks are those of the last one that is kept", () => {
  const ends = new BlockEnds();
  expect([ends.count, ends.block, ends.packed]).toEqual([0, 0, 0]);
  ends.push(10, 1);
  ends.push(20, 2);
  ends.push(30, 3);
  const after = (count: number) => {
    ends.cut(count);
    return [ends.count, ends.block, ends.packed];
  };
  expect([4, 3, 2, 0].map(after)).toEqual([
    [3, 30, 3],
    [3, 30, 3],
    [2, 20, 2],
    [0, 0, 0],
  ]);
});

describe("the calls of a store", () => {
  test("are the last line of each, by method and parameters", () => {
    const calls = new StoredCalls();
    calls.add({ method: "a", params: [1] }, "one");
    calls.add({ method: "a", params: [2] }, "two");
    calls.add({ method: "b", params: [1] }, "three");
    calls.add({ method: "a", params: [1], result: "0x" }, "four");
    expect(calls.lines()).toEqual(["four", "two", "three"]);
  });

  test("are wasteful with more than a thousand lines beyond two for each call", () => {
    const calls = new StoredCalls();
    const add = (times: number, method: string) => {
      for (let time = 0; time < times; time++) calls.add({ method, params: [] }, "line");
      return calls.isWasteful;
    };
    expect([add(1002, "a"), add(1, "a"), add(1, "b"), add(1, "b")]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

const CHAIN = 1717;
const blocks = readRecords<RpcBlock>(DEMO, "blocks").slice(0, 9);
const inputs = blocks.map((block) => readBlock(block, { chainId: CHAIN, missingTraces: "accept" }));
const blockLines = blocks.map(({ block, receipts, traces }) =>
  JSON.stringify({ block, receipts, traces }),
);
/** The one transaction of block 7 that sends coins, and what its sender had. */
const [sent] = (inputs[7]?.executions ?? [])
  .map(({ transaction }) => transaction)
  .filter(({ value }) => value > 0n);
const payer = sent?.from ?? "0x";
const spent = sent ? sent.value + (feeOf(sent) ?? 0n) : 0n;
const balance = 10n ** 18n;
const balanceCall = (balance: string, at = "latest") =>
  JSON.stringify({ method: "eth_getBalance", params: [payer, at], result: balance });

let folder: string;
const fileAt = (name: string) => join(folder, name);
const linesOf = (name: string) => readFileSync(fileAt(name), "utf8").split("\n").slice(0, -1);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mrc-store-reader-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Stored {
  readonly blocks?: readonly string[];
  /** How many of the blocks are in the short form, too. */
  readonly packed?: number;
  readonly calls?: readonly string[];
  readonly sources?: readonly string[];
  readonly manifest?: Partial<Manifest>;
}

/** What a reader makes of these lines. */
async function read({ packed = 0, manifest, ...lines }: Stored) {
  const opened = async (name: string, written: readonly string[] = []) => {
    writeFileSync(fileAt(name), written.map((line) => `${line}\n`).join(""));
    return await LineFile.open(fileAt(name));
  };
  rmSync(fileAt("packed"), { force: true });
  const files = {
    blocks: await opened("blocks", lines.blocks ?? blockLines),
    calls: await opened("calls", lines.calls),
    sources: await opened("sources", lines.sources),
    packed: await PackedBlocks.open(fileAt("packed")),
  };
  let end = 0;
  const ends = blockLines.map((line) => (end += Buffer.byteLength(line) + 1));
  await files.packed.append(inputs.slice(0, packed), ends);
  const { size } = statSync(fileAt("calls"));
  const reader = new StoreReader(files, {
    ...{ version: 1, chainId: CHAIN, stateAt: null, unknownFrom: 3, calls: size, traced: true },
    ...manifest,
  });
  try {
    return await reader.read();
  } finally {
    for (const file of Object.values(files)) await file.close();
  }
}
const head = async (stored: Stored) => {
  const { chain } = await read(stored);
  return chain.length === 0 ? undefined : chain.head.number;
};

describe("blocks", () => {
  test.each([0, 2, 9])(
    "of which %d have a short form are all read, and have it then",
    async (packed) => {
      const { chain, ends, first } = await read({ packed });
      expect([chain.chainId, chain.length, first, ends.count]).toEqual([CHAIN, 9, 0, 9]);
      for (const at of [0, 3, 8]) expect(chain.blockInput(at)?.block).toEqual(inputs[at]?.block);
      expect([ends.block, ends.packed]).toEqual([
        statSync(fileAt("blocks")).size,
        statSync(fileAt("packed")).size,
      ]);
      expect(linesOf("packed")).toHaveLength(10);
    },
  );

  test("are read in their short form where they have one", async () => {
    const blank = blockLines.map((line) => " ".repeat(Buffer.byteLength(line)));
    expect(await head({ packed: 9, blocks: blank })).toBe(8);
    expect(await head({ packed: 8, blocks: blank })).toBe(7);
  });

  test("need no traces", async () => {
    const untraced = blocks.map(({ block, receipts }) => JSON.stringify({ block, receipts }));
    expect(await head({ blocks: untraced })).toBe(8);
  });

  test("of the short form alone are none", async () => {
    expect(await head({ packed: 4, blocks: blockLines.slice(0, 2) })).toBe(1);
    expect(linesOf("packed")).toHaveLength(3);
  });

  test.each(["[1]", "7", "half a li"])(
    "end before a line like %s, which is cut off",
    async (line) => {
      expect(
        await head({ blocks: [...blockLines.slice(0, 2), line, ...blockLines.slice(2)] }),
      ).toBe(1);
      expect(linesOf("blocks")).toEqual(blockLines.slice(0, 2));
    },
  );

  test("end before one that does not follow the others, in either form", async () => {
    const [first = "", second = "", third = ""] = blockLines;
    expect(await head({ blocks: [first, second, second, third] })).toBe(1);
    expect(linesOf("blocks")).toEqual([first, second]);
    const { chain, first: number, ends } = await read({ blocks: [] });
    expect([chain.length, number, ends.count]).toEqual([0, 0, 0]);
  });

  test("may begin in the middle", async () => {
    const { first, unknownFrom } = await read({
      blocks: blockLines.slice(3),
      manifest: { stateAt: 4 },
    });
    expect([first, unknownFrom]).toEqual([3, 3]);
  });
});

describe("the state", () => {
  /** The balance of the payer, and the first block whose state is to be asked for. */
  const stateOf = async (stored: Stored) => {
    const { chain, unknownFrom } = await read(stored);
    return [chain.balance(payer), unknownFrom];
  };
  const calls = [balanceCall(`0x${balance.toString(16)}`)];

  test("is that of the block it was asked at, and what came after is added", async () => {
    for (const packed of [0, 9]) {
      const stateAt = (number: number) => stateOf({ packed, calls, manifest: { stateAt: number } });
      expect(await stateAt(6)).toEqual([balance - spent, 3]);
      expect(await stateAt(7)).toEqual([balance, 3]);
      expect(await stateAt(8)).toEqual([balance, 3]);
    }
  });

  test("is that of the last block if its own is unknown, or lost", async () => {
    expect(await stateOf({ calls })).toEqual([balance, 3]);
    expect(await stateOf({ calls, manifest: { stateAt: 9 } })).toEqual([balance, 0]);
    expect(await stateOf({ calls, blocks: blockLines.slice(3), manifest: { stateAt: 9 } })).toEqual(
      [balance, 0],
    );
  });

  test("is asked for again if calls are missing", async () => {
    const size = calls[0]?.length ?? 0;
    expect(await stateOf({ calls, manifest: { calls: size + 1 } })).toEqual([balance, 3]);
    expect(await stateOf({ calls, manifest: { calls: size + 2 } })).toEqual([balance, 0]);
    expect(await stateOf({ calls, manifest: { calls: null } })).toEqual([balance, 3]);
    expect(await stateOf({ calls: [...calls, "7", balanceCall("0x8")] })).toEqual([balance, 0]);
    expect(linesOf("calls")).toEqual(calls);
  });
});

test("verified contracts are those whose code is still there, up to a damaged line", async () => {
  const address = (digit: number) => `0x${`${digit}`.repeat(40)}` as const;
  const calls = [1, 2, 3].map((digit) =>
    JSON.stringify({ method: "eth_getCode", params: [address(digit), "latest"], result: "0x60" }),
  );
  const source = (digit: number, code = "0x60") =>
    JSON.stringify({
      ...{ address: address(digit), code, name: "A", abi: [], source: "contract A {}" },
      ...{ compiler: "v0.8.20", runs: 200, optimizer: true, libraries: {} },
      constructorArguments: "",
    });
  const whole = [source(1), source(2, "0x61")];
  const { chain } = await read({ calls, sources: [...whole, "[]", source(3)] });
  expect(chain.verifiedContracts()).toMatchObject([
    { address: address(1), contractName: "A", verifiedAt: inputs[8]?.block.timestamp },
  ]);
  expect(linesOf("sources")).toEqual(whole);
  expect((await read({ calls, sources: [source(3)] })).chain.verifiedContracts()).toHaveLength(1);
});
