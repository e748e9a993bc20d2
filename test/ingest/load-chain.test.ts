// Loading a chain folder is all or nothing: every kind of damage is an error that says where it is.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { loadChain } from "../../mocks/ingest/load-chain.ts";
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { IngestError } from "../../mocks/ingest/read.ts";
import { DEMO, readRecords, readZipped } from "../support/chains.ts";
import { temporaryFolder } from "../support/project.ts";

type Json = Record<string, unknown>;

interface Line {
  block: Json & { number: string; transactions: unknown[] };
  receipts: Json[];
  traces: unknown[] | null;
}

function demoCopy(): string {
  const folder = temporaryFolder("chain", onTestFinished);
  cpSync(DEMO, folder, { recursive: true });
  return folder;
}

const blocks = (readRecords(DEMO, "blocks") as unknown as Line[]).slice(0, 11);
/** The first block with more than one transaction. */
const BUSY = blocks.findIndex(({ receipts }) => receipts.length > 1);

function at(lines: readonly Line[], index: number): Line {
  const line = lines[index];
  if (line === undefined) throw new Error(`the demo chain has no block ${index}`);
  return line;
}

function failure(lines: readonly string[]): IngestError {
  try {
    parseChain({ blocks: lines, calls: readZipped(DEMO, "calls.ndjson.gz") });
  } catch (error) {
    if (error instanceof IngestError) return error;
    throw error;
  }
  throw new Error("the damaged chain was loaded");
}

/** The error of loading the first blocks after `damage` was done to a copy of them. */
function damaged(damage: (lines: Line[]) => unknown): IngestError {
  const lines = structuredClone(blocks);
  damage(lines);
  return failure(lines.map((line) => JSON.stringify(line)));
}

describe("a whole folder", () => {
  test("loads, and the same from texts as from files", async () => {
    const loaded = await loadChain(DEMO, { verified: true });
    const parsed = parseChain(
      {
        blocks: readZipped(DEMO, "blocks.ndjson.gz"),
        calls: readZipped(DEMO, "calls.ndjson.gz"),
        sources: readZipped(DEMO, "sources.ndjson.gz"),
      },
      { verified: true },
    );
    expect(parsed.head).toEqual(loaded.head);
    expect(parsed.transactionCount).toBe(loaded.transactionCount);
    expect(loaded.chainId).toBe(1717);
  });

  test("may be unzipped", async () => {
    const folder = demoCopy();
    for (const name of ["blocks", "calls"]) {
      writeFileSync(join(folder, `${name}.ndjson`), readZipped(DEMO, `${name}.ndjson.gz`));
      rmSync(join(folder, `${name}.ndjson.gz`));
    }
    expect((await loadChain(folder)).head).toEqual((await loadChain(DEMO)).head);
  });

  test("may begin with another block than 0, with the balances before it", () => {
    const later = blocks.slice(3).map((line) => JSON.stringify(line));
    const account = `0x${"b0".repeat(20)}` as const;
    const balance = (at: number) =>
      JSON.stringify({
        method: "eth_getBalance",
        params: [account, `0x${at}`],
        result: `0x${at + 5}`,
      });
    const calls = [1, 2, 3].map(balance);
    const chain = parseChain({ blocks: later, calls }, { chainId: 5 });
    expect(chain.chainId).toBe(5);
    expect(chain.block(2)).toBeUndefined();
    expect(chain.block(3)?.number).toBe(3);
    expect(chain.head.number).toBe(10);
    expect(chain.balance(account)).toBe(7n);
    expect(parseChain({ blocks: later }, { chainId: 5 }).balance(account)).toBe(0n);
  });

  test("brings its sources as proven only when asked to", async () => {
    const [source] = readRecords(DEMO, "sources");
    const address = source?.address as `0x${string}`;
    expect((await loadChain(DEMO)).verified(address)).toBeUndefined();
    const verified = (await loadChain(DEMO, { verified: true })).verified(address);
    expect(verified).toMatchObject({
      address,
      contractName: source?.name,
      compiler: source?.compiler,
      runs: source?.runs,
      optimizationEnabled: source?.optimizer,
      abi: source?.abi,
      source: source?.source,
      swarmSource: expect.stringMatching(/^ipfs:\/\/Qm[1-9A-HJ-NP-Za-km-z]{44}$/),
    });
    expect(verified?.code.length).toBeGreaterThan(2);
  });
});

const WRONG_HASH = `0x${"ab".repeat(32)}`;

/** Sets a field of a line, by its path. */
const put = (path: string, value: unknown) => (line: Line) => {
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const at = steps.reduce((of: unknown, step) => Object(of)[step], line);
  Object.assign(Object(at), { [last]: value });
};
const both = (one: string, value: unknown, other: string, second: unknown) => (line: Line) => {
  put(one, value)(line);
  put(other, second)(line);
};
type Damage = readonly [name: string, message: string, damage: (line: Line) => unknown];

const [amount, short] = [
  'transactions[1].value: expected an integer such as 0x1a, received "1.5"',
  'miner: expected an address (20 bytes in hexadecimal), received "0x12"; block.transac',
];

const DAMAGES: readonly Damage[] = [
  ["no receipts", "receipts: expected a list, received null", put("receipts", null)],
  ["no traces", "traces: expected the traces of the block's ", put("traces", null)],
  ["no transactions", "transactions[0]: expected an object", put("block.transactions.0", "0x12")],
  ["an amount that is no number", amount, put("block.transactions.1.value", "1.5")],
  ["two mistakes", short, both("block.miner", "0x12", "block.transactions.1.value", "1.5")],
  ["no number", "number: expected an integer", put("block.number", null)],
  ["no hash", "block.hash: expected a hash", put("block.hash", undefined)],
  ["no block", "block: expected an object, received null", put("block", null)],
];

const gas = "receipts[1].gasUsed: expected an integer, received nothing";
const huge = "block.gasUsed: expected an integer such as 0x1a, below 2^53, received";
const timeout = 'traces[0]: expected a callTracer frame: the node returned the error "timeout"';

/** What a block can do without, and what is then reported. */
const LACKS: readonly Damage[] = [
  ["a receipt short", "]: expected a receipt, received none", (line) => line.receipts.pop()],
  [
    "a receipt of another block",
    "receipts[0]: expected a receipt, received none",
    put("receipts.0.blockHash", WRONG_HASH),
  ],
  ["a receipt without gas", gas, (line) => delete line.receipts[1]?.gasUsed],
  ["a receipt whose logs are null", "", put("receipts.1.logs", null)],
  ["a trace short", "traces: expected the trace of transaction 0x", (line) => line.traces?.pop()],
  ["traces in another order", "", (line) => line.traces?.reverse()],
  ["a trace that failed on the node", timeout, put("traces.0", { error: "timeout" })],
  ["a gas figure beyond 2^53", huge, put("block.gasUsed", "0xffffffffffffffff")],
];

test.each(LACKS)("a block with %s is loaded, and what it lacks is reported", (_, message, lose) => {
  const lines = structuredClone(blocks);
  lose(at(lines, BUSY));
  const missing: string[] = [];
  const chain = parseChain(
    { blocks: lines.map((line) => JSON.stringify(line)) },
    { chainId: 1717, onMissing: (what) => missing.push(what) },
  );
  expect(chain.head.number).toBe(lines.length - 1);
  expect(chain.transactionCount).toBe(blocks.flatMap(({ receipts }) => receipts).length);
  expect(missing).toEqual(message === "" ? [] : [expect.stringContaining(message)]);
});

/** The lines, with the transactions of a busy block in the next one, too. */
function repeatedBelow(): Line[] {
  const lines = structuredClone(blocks);
  const { block, receipts, traces } = at(lines, BUSY);
  const next = at(lines, BUSY + 1);
  next.block.transactions = [...block.transactions, ...next.block.transactions];
  next.receipts = [
    ...receipts.map((receipt) => ({ ...receipt, blockHash: next.block.hash })),
    ...next.receipts,
  ];
  next.traces = [...(traces ?? []), ...(next.traces ?? [])];
  return lines;
}
function repeatedInBlock(): Line[] {
  const lines = structuredClone(blocks);
  const { transactions } = at(lines, BUSY).block;
  transactions.splice(1, 0, structuredClone(transactions[0]));
  return lines;
}

test.each([
  ["the block below", repeatedBelow, BUSY + 1],
  ["the same block", repeatedInBlock, BUSY],
])(
  "a transaction that %s has, too, is there once, and the others keep their positions",
  (_, make, number) => {
    const lines = make();
    const missing: string[] = [];
    const chain = parseChain(
      { blocks: lines.map((line) => JSON.stringify(line)) },
      { chainId: 1717, onMissing: (what) => missing.push(what) },
    );
    expect(chain.transactionCount).toBe(blocks.flatMap(({ receipts }) => receipts).length);
    const position = at(lines, number).block.transactions.length - 1;
    const [last] = chain.blockInput(number)?.executions.slice(-1) ?? [];
    expect(last?.transaction.index).toBe(position);
    expect(at(lines, number).block.transactions[position]).toMatchObject({
      hash: last?.transaction.hash,
    });
    expect(missing[0]).toMatch(
      /^block \d+, block\.transactions\[\d+\]: expected every transaction once, received 0x\w{64} again$/,
    );
  },
);

test("without somebody to report to, a warning names the first of what a chain lacks", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const lines = structuredClone(blocks);
  at(lines, BUSY).traces?.splice(0, 2);
  parseChain({ blocks: lines.map((line) => JSON.stringify(line)) }, { chainId: 1717 });
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/without some of its data: block \d+, traces: .*; and 1 more$/)],
  ]);
});

describe("damage is an error that says where it is", () => {
  test("a folder without blocks", async () => {
    const folder = demoCopy();
    rmSync(join(folder, "blocks.ndjson.gz"));
    await expect(loadChain(folder)).rejects.toThrow(
      /expected blocks\.ndjson\.gz or blocks\.ndjson in/,
    );
    await expect(loadChain(join(folder, "nowhere"))).rejects.toThrow(/nowhere/);
  });

  test("sources asked for and not there", async () => {
    const folder = demoCopy();
    rmSync(join(folder, "sources.ndjson.gz"));
    expect((await loadChain(folder)).head.number).toBeGreaterThan(0);
    await expect(loadChain(folder, { verified: true })).rejects.toThrow(/sources\.ndjson/);
  });

  test("a file cut in the middle, with another bit, or no gzip at all", async () => {
    const folder = demoCopy();
    const whole = gzipSync(readZipped(DEMO, "blocks.ndjson.gz"));
    writeFileSync(join(folder, "blocks.ndjson.gz"), whole.subarray(0, whole.length / 2));
    await expect(loadChain(folder)).rejects.toThrow(
      /^blocks\.ndjson\.gz, line \d+: cannot be read/,
    );
    const changed = Buffer.from(whole);
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(folder, "blocks.ndjson.gz"), changed);
    await expect(loadChain(folder)).rejects.toThrow(/^blocks\.ndjson\.gz, line \d+/);
    writeFileSync(join(folder, "blocks.ndjson.gz"), "not zipped");
    await expect(loadChain(folder)).rejects.toThrow(/^blocks\.ndjson\.gz, line 1: cannot be read/);
  });

  test("an empty file", async () => {
    const folder = demoCopy();
    writeFileSync(join(folder, "blocks.ndjson.gz"), gzipSync(""));
    await expect(loadChain(folder)).rejects.toThrow(/expected at least one block/);
  });

  test("a broken line, of blocks and of calls", async () => {
    const lines = readZipped(DEMO, "blocks.ndjson.gz").split("\n");
    lines[6] = lines[6]?.slice(0, 700) ?? "";
    const error = failure(lines);
    expect(error.location).toMatchObject({ file: "blocks.ndjson", line: 7 });
    expect(error.message).toMatch(
      /^blocks\.ndjson, line 7: expected a JSON object, received broken JSON/,
    );

    const folder = demoCopy();
    const calls = readZipped(DEMO, "calls.ndjson.gz").split("\n");
    calls[3] = '{"method":"eth_getBalance","params":["0x12","latest"],"result":"0x0"}';
    writeFileSync(join(folder, "calls.ndjson.gz"), gzipSync(calls.join("\n")));
    await expect(loadChain(folder)).rejects.toThrow(
      /^calls\.ndjson\.gz, line 4, params\[0\]: expected an address .*, received "0x12"$/,
    );
  });

  test.each([["[]"], ["null"], ["17"], ['"block"']])("a line that is %s", (line) => {
    expect(failure([line]).message).toBe("blocks.ndjson, line 1: expected a JSON object");
  });

  test.each<[string, (lines: Line[]) => unknown, RegExp]>([
    ["a missing block", (lines) => lines.splice(5, 1), /block 6: .*: expected block 5/],
    ["a block twice", (lines) => lines.splice(5, 0, at(lines, 4)), /block 4: .*: expected block 5/],
    [
      "a wrong parent hash",
      (lines) => Object.assign(at(lines, 5).block, { parentHash: WRONG_HASH }),
      /block 5: .* expected the parent hash 0x\w{64} \(that of block 4\), received 0x(ab){32}$/,
    ],
  ])("%s", (_, damage, message) => {
    const error = damaged(damage);
    expect(error.message).toMatch(/^blocks\.ndjson, line 6, block /);
    expect(error.message).toMatch(message);
  });

  test.each(DAMAGES)("a block with %s", (_, message, damage) => {
    const error = damaged((lines) => damage(at(lines, BUSY)));
    expect(error.message).toContain(message);
    expect(error.location).toMatchObject({ file: "blocks.ndjson", line: BUSY + 1 });
  });

  test("a source of an address without code", async () => {
    const folder = demoCopy();
    const [source] = readRecords(DEMO, "sources");
    const nowhere = { ...source, address: `0x${"99".repeat(20)}` };
    writeFileSync(join(folder, "sources.ndjson.gz"), gzipSync(JSON.stringify(nowhere)));
    await expect(loadChain(folder, { verified: true })).rejects.toThrow(
      /^sources\.ndjson\.gz, line 1, address: expected a contract at 0x(99){20}, found no code$/,
    );
  });
});
