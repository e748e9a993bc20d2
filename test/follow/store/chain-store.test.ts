// What a store keeps of a chain, update by update, and what the next process finds.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ContractVerification } from "../../../mocks/chain/records.ts";
import { serviceOf } from "../../../mocks/explorer.ts";
import {
  ChainStore,
  type ChainStoreOptions,
  type StoreError,
  storeError,
} from "../../../mocks/follow/store/chain-store.ts";
import { readBlock } from "../../../mocks/ingest/block.ts";
import type { RpcBlock } from "../../../mocks/ingest/block-fields.ts";
import { withChecksum } from "../../../mocks/ingest/checksum.ts";
import { loadChain } from "../../../mocks/ingest/load-chain.ts";
import { createExplorer, followNode, type Verifier } from "../../../mocks/node.ts";
import { DEMO, readRecords } from "../../support/chains.ts";
import { FakeNode } from "../../support/fake-node.ts";
import { temporaryFolder } from "../../support/project.ts";

const CHAIN = 1717;
const blocks = readRecords<RpcBlock>(DEMO, "blocks").slice(0, 9);
const inputs = blocks.map((block) => readBlock(block, { chainId: CHAIN, missingTraces: "accept" }));
const headers = inputs.map(({ block }) => block);

let folder: string;
let errors: StoreError[];
const open: ChainStore[] = [];
beforeEach(() => {
  folder = join(temporaryFolder("store", onTestFinished), "chain");
  errors = [];
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

function opened(options: Partial<ChainStoreOptions> = {}): ChainStore {
  const onError = (error: StoreError) => errors.push(error);
  const store = new ChainStore(folder, { isTraced: () => true, onError, ...options });
  open.push(store);
  return store;
}

/** The store as the next process finds it. */
async function reopened(options: Partial<ChainStoreOptions> = {}) {
  for (const store of open.splice(0)) await store.close();
  const store = opened(options);
  return { store, stored: await store.load() };
}

/** Keeps the blocks from one number up to another after the first `kept` ones. */
const update = (store: ChainStore, from: number, to: number, kept = from) =>
  store.update({
    ...{ kept, from },
    blocks: blocks.slice(from, to + 1),
  });

async function withBlocks(to: number): Promise<ChainStore> {
  const store = opened();
  await store.startOver(CHAIN);
  await update(store, 0, to);
  return store;
}

const manifest = () => JSON.parse(readFileSync(join(folder, "store.json"), "utf8"));
const change = (fields: object) =>
  writeFileSync(join(folder, "store.json"), JSON.stringify({ ...manifest(), ...fields }));
const balanceCall = (balance: string, at = "latest") => ({
  method: "eth_getBalance",
  params: [headers[0]?.miner, at],
  result: balance,
});

test("nothing is stored until a chain begins, and a chain without blocks is none yet", async () => {
  const store = opened();
  expect(await store.load()).toBeUndefined();
  expect([store.unknownFrom, store.hasFailed]).toEqual([0, false]);
  await store.startOver(CHAIN);
  const { stored, store: next } = await reopened();
  expect(stored).toBeUndefined();
  await next.startOver(CHAIN);
  expect(errors).toEqual([]);
});

test("the next process has the blocks, and continues after them", async () => {
  await withBlocks(4);
  const { store, stored } = await reopened();
  expect(stored).toMatchObject({ first: 0, unknownFrom: 0, chain: { length: 5, chainId: CHAIN } });
  const { block, executions } = inputs[4] ?? {};
  expect(stored?.chain.blockInput(4)).toMatchObject({ block, executions });
  await update(store, 5, 8);
  const last = await reopened();
  expect(last.stored?.chain.head).toEqual(headers[8]);
  const lines = readFileSync(join(folder, "blocks.ndjson"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).block.hash)).toEqual(headers.map(({ hash }) => hash));
});

test("blocks that the chain gave up are replaced by others", async () => {
  const store = await withBlocks(6);
  await update(store, 3, 2);
  await update(store, 3, 5);
  expect((await reopened()).stored?.chain.length).toBe(6);
  await update((await reopened()).store, 0, 1);
  expect((await reopened()).stored?.chain.length).toBe(2);
});

test("a chain may begin in the middle", async () => {
  const store = opened();
  await store.startOver(CHAIN);
  await update(store, 3, 6, 0);
  const next = await reopened();
  expect(next.stored).toMatchObject({ first: 3, chain: { length: 4 } });
  await next.store.endSweep(6, true);
  // Two of its blocks stay: 3 and 4.
  await update(next.store, 5, 5, 2);
  expect(next.store.unknownFrom).toBe(0);
  await next.store.endSweep(5, true);
  await update(next.store, 3, 4, 0);
  await next.store.endSweep(4, true);
  await update(next.store, 5, 6, 2);
  await update(next.store, 6, 6, 3);
  // Block 5 stays, and what earlier ones touched is known.
  expect(next.store.unknownFrom).toBe(5);
  await update(next.store, 6, 5, 3);
  expect((await reopened()).stored).toMatchObject({ first: 3, chain: { head: headers[5] } });
});

describe("the state at the last block", () => {
  const balance = async () => {
    const { stored } = await reopened();
    return stored?.chain.balance(headers[0]?.miner ?? "0x");
  };

  test("counts once its sweep has ended", async () => {
    const store = await withBlocks(4);
    const before = await balance();
    await open[0]?.addCalls([balanceCall("0x7")]);
    expect(await balance()).toBe(before);
    await open[0]?.addCalls([balanceCall("0x8")]);
    await open[0]?.endSweep(4, true);
    expect(await balance()).toBe(8n);
    expect(open[0]?.unknownFrom).toBe(5);
    expect(store.hasFailed).toBe(false);
  });

  test("of a sweep that missed something is asked for again from the same block on", async () => {
    const store = await withBlocks(4);
    await store.endSweep(4, true);
    await update(store, 5, 6);
    await store.endSweep(6, false);
    expect(store.unknownFrom).toBe(5);
    expect((await reopened()).stored?.unknownFrom).toBe(5);
    expect(manifest()).toMatchObject({ stateAt: 6, unknownFrom: 5 });
  });

  test("is forgotten with a block that it was of, and kept with later ones", async () => {
    const store = await withBlocks(4);
    await store.endSweep(4, true);
    await update(store, 5, 7);
    await update(store, 6, 6);
    expect([store.unknownFrom, manifest().stateAt]).toEqual([5, 4]);
    await update(store, 5, 4);
    expect([store.unknownFrom, manifest().stateAt]).toEqual([5, 4]);
    await update(store, 4, 4);
    expect([store.unknownFrom, manifest().stateAt]).toEqual([0, null]);
  });

  test("is asked for again where calls are lost, or blocks", async () => {
    const store = await withBlocks(4);
    await store.addCalls([balanceCall("0x8")]);
    await store.endSweep(4, true);
    await reopened();
    expect(open[0]?.unknownFrom).toBe(5);
    const calls = join(folder, "calls.ndjson");
    const whole = readFileSync(calls);
    truncateSync(calls, whole.length - 2);
    expect((await reopened()).stored?.unknownFrom).toBe(0);
    // What is left of the last line is cut off.
    expect(readFileSync(calls, "utf8").trimEnd().split("\n")).toHaveLength(1);
    writeFileSync(calls, whole);
    change({ unknownFrom: 5 });
    expect((await reopened()).stored?.unknownFrom).toBe(5);
    const stored = join(folder, "blocks.ndjson");
    truncateSync(stored, statSync(stored).size - 1);
    expect((await reopened()).stored).toMatchObject({ unknownFrom: 0, chain: { length: 4 } });
  });
});

const address = `0x${"ab".repeat(20)}` as const;
const contract: ContractVerification = {
  ...{ address, code: "0x6001", compiler: "v0.8.20", contractName: "A", abi: [{ name: "f" }] },
  ...{ source: "contract A {}", runs: 200, optimizationEnabled: true, constructorArguments: "" },
  ...{ evmVersion: "paris", swarmSource: "", verifiedAt: 1, libraries: [{ name: "M", address }] },
  ...{ message: "exact match", level: "exact", uncovered: [] },
  compiled: {
    files: new Map([[0, { name: "A.sol", text: "contract A {}" }]]),
    ...{ runtime: "1:2:0", creation: "3:4:0", isPlain: true },
    storage: {
      storage: [{ label: "owner", slot: "0", offset: 0, type: "t_address" }],
      types: { t_address: { encoding: "inplace", label: "address", numberOfBytes: "20" } },
    },
  },
};

const linesOf = (name: string) =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("a verified contract", () => {
  test("of an explorer of a follower is kept with its libraries, and the chain's number with its calls", async () => {
    const node = new FakeNode();
    const options = { fetch: node.fetch, store: folder };
    const follower = await followNode(node.url, options);
    const verifier: Verifier = {
      verify: async () => ({ verified: true, contract, message: "exact match" }),
      close: async () => {},
    };
    const { verify } = serviceOf(createExplorer({ chain: follower, verifier }));
    await verify?.(
      address,
      { contract_name: "A", compiler: "", standard_input: "" },
      { headers: {} },
    );
    await follower.close();
    expect(linesOf("sources.ndjson")).toMatchObject([
      { address, name: "A", optimizer: true, libraries: { M: address } },
    ]);
    const [first] = linesOf("calls.ndjson");
    expect(first).toMatchObject({
      group: "chain",
      method: "eth_chainId",
      params: [],
      result: "0x6b5",
    });
    // A follower that is refused leaves the folder to the next.
    node.faults.call = ({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined);
    await expect(followNode(node.url, options)).rejects.toThrow(
      /of chain 1717, and the node has chain 1\. What to do: [^\n]*--replace[^\n]*$/,
    );
    {
      await using _ = await followNode(node.url, { ...options, replace: true });
      expect(readdirSync(folder)).toContain("store.lock");
    }
    expect(readdirSync(folder)).not.toContain("store.lock");
    expect(manifest()).toMatchObject({ chainId: 1 });
  });

  test("is there for the next process, unless the chain has other code", async () => {
    const store = await withBlocks(0);
    await store.addVerified(contract);
    const found = async (result: string) => {
      const code = { method: "eth_getCode", params: [address, "latest"], result };
      await open[0]?.addCalls([code]);
      await open[0]?.endSweep(0, true);
      return [
        (await reopened()).stored?.chain.verified(address),
        (await loadChain(folder)).verified(address),
      ];
    };
    expect(await found("0x6001")).toEqual([contract, contract]);
    expect(await found("0x6002")).toEqual([undefined, undefined]);
  });
});

test("the state at a head that the node replaced meanwhile does not count", async () => {
  const node = new FakeNode();
  const told: string[] = [];
  const onError = (error: unknown) => told.push(`${error}`);
  const follower = await followNode(node.url, { fetch: node.fetch, store: folder, onError });
  node.faults.call = ({ method }) =>
    method === "eth_getBlockByNumber" ? { result: { hash: headers[0]?.hash } } : undefined;
  await follower.close();
  expect(told).toEqual([expect.stringContaining("the node replaced block 92 while its state was")]);
  expect(manifest()).toMatchObject({ stateAt: null, unknownFrom: 0 });
});

test.each(["blocks", "calls", "sources"])(
  "%s are used as far as they are whole, wherever a killed process cut them off",
  async (name) => {
    await withBlocks(8);
    await open[0]?.addCalls([balanceCall("0x7"), balanceCall("0x8")]);
    await open[0]?.endSweep(8, true);
    for (let time = 0; time < 2; time++) await open[0]?.addVerified(contract);
    const { stored: whole } = await reopened();
    const file = join(folder, `${name}.ndjson`);
    const bytes = readFileSync(file);
    for (let tenth = 0; tenth < 10; tenth++) {
      await reopened();
      truncateSync(file, Math.floor((tenth * bytes.length) / 10));
      const { store, stored } = await reopened();
      const { length = 0 } = stored?.chain ?? {};
      expect(stored?.chain.head).toEqual(length === 0 ? undefined : headers[length - 1]);
      expect(length).toBeLessThan(name === "blocks" ? 9 : 10);
      if (length === 0) await store.startOver(CHAIN);
      await update(store, length, 8);
      await store.addVerified(contract);
      // No half line is left in the middle.
      for (const each of ["blocks", "calls", "sources"]) linesOf(`${each}.ndjson`);
      expect((await reopened()).stored?.chain.blockInput(8)).toEqual(whole?.chain.blockInput(8));
    }
  },
);

test("blocks without traces are remembered as such, once some came", async () => {
  await withBlocks(2);
  expect(manifest().traced).toBe(true);
  const { store } = await reopened({ isTraced: () => false });
  expect(manifest().traced).toBe(true);
  await update(store, 3, 4);
  expect(manifest().traced).toBe(false);
  await update((await reopened()).store, 5, 5);
  expect(manifest().traced).toBe(false);
});

test("after a failure nothing more is written, and it is reported once, with what to do", async () => {
  const store = await withBlocks(2);
  mkdirSync(join(folder, "store.json.new"));
  await store.endSweep(2, true);
  expect(store.hasFailed).toBe(true);
  await update(store, 3, 4);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.message).toContain(`Stopped storing the chain in ${folder}`);
  expect((await reopened()).stored?.chain.length).toBe(3);
});

test.each<[string, (store: ChainStore) => Promise<void>]>([
  ["blocks", (store) => update(store, 0, 0)],
  ["the end of a sweep", (store) => store.endSweep(0, true)],
])("%s of no chain cannot be stored", async (_, write) => {
  await write(opened());
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("the store has no chain yet"),
  ]);
});

describe("a recorded chain", () => {
  test("is not replaced by another one unless that is wanted", async () => {
    const store = await withBlocks(2);
    await expect(store.startOver(CHAIN)).rejects.toThrow(
      `has 3 blocks of chain ${CHAIN}, and the node has chain ${CHAIN}. What to do: `,
    );
    await expect(store.startOver(2, "another genesis")).rejects.toThrow(
      "has another genesis. What",
    );
    expect((await reopened()).stored?.chain.length).toBe(3);
  });

  test("is set aside by date, and the new one begins empty", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    await withBlocks(2);
    const { store } = await reopened({ replace: true });
    await store.startOver(CHAIN);
    expect(store.unknownFrom).toBe(0);
    await update(store, 0, 1);
    expect((await reopened()).stored?.chain.length).toBe(2);
    expect((await loadChain(`${folder}.2026-01-02T030405.678`)).length).toBe(3);
  });
});

test.each(["blocks.ndjson", "calls.ndjson", "sources.ndjson", "store.json.new"])(
  "a link in place of %s is not followed: its target stays as it is",
  async (name) => {
    await withBlocks(2);
    const target = `${folder}.target`;
    writeFileSync(target, "of the user");
    rmSync(join(folder, name), { force: true });
    symlinkSync(target, join(folder, name));
    await reopened()
      .then(({ store }) => update(store, 3, 4))
      .catch(({ message }) => expect(message).toMatch(/^Cannot open the files in .*ELOOP/));
    const store = open.at(-1);
    await store?.endSweep(2, true).catch(() => {});
    expect(readFileSync(target, "utf8")).toBe("of the user");
  },
);

test("a folder whose files cannot be opened says so", async () => {
  await withBlocks(1);
  await reopened();
  const calls = join(folder, "calls.ndjson");
  rmSync(calls);
  mkdirSync(calls);
  await expect(reopened()).rejects.toThrow(`Cannot open the files in ${folder}: EISDIR`);
});

test("a folder with blocks that no store wrote is refused; empty files are none", () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "blocks.ndjson"), "");
  opened();
  rmSync(join(folder, "store.lock"));
  writeFileSync(join(folder, "blocks.ndjson.gz"), "x");
  expect(() => opened()).toThrow("has a blocks.ndjson.gz that is not one of a store");
});

test("an error says what to do, if its code tells", () => {
  const full = Object.assign(new Error("why"), { code: "ENOSPC" });
  const error = storeError("What", full);
  expect(`${error}`).toBe("StoreError: What: why. What to do: free some space on the disk");
  expect(error.cause).toBe(full);
  for (const cause of [Object.assign(new Error("why"), { code: "EIO" }), new Error("why"), "why"])
    expect(storeError("What", cause).message).toBe("What: why");
});

describe("a bit that the disk changed", () => {
  const FLIPS = 20;
  /** Changes one bit of a file, runs the check, and restores the file. */
  const flipped = async (name: string, nth: number, check: () => Promise<void>) => {
    const file = join(folder, name);
    const whole = readFileSync(file);
    const bit = Math.floor((whole.length * 8 * (nth + 0.5)) / FLIPS);
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(file, bytes);
    await check();
    for (const store of open.splice(0)) await store.close();
    writeFileSync(file, whole);
  };

  test("of a block ends the store before it, so that the node is asked again, and loadChain refuses it", async () => {
    await withBlocks(6);
    for (const store of open.splice(0)) await store.close();
    const right = (await loadChain(folder, { chainId: CHAIN })).blockInput(6);
    for (let nth = 0; nth < FLIPS; nth += 1)
      await flipped("blocks.ndjson", nth, async () => {
        const loaded = await loadChain(folder, { chainId: CHAIN }).catch((error: Error) => error);
        if (loaded instanceof Error)
          expect(loaded.message).toMatch(
            /^blocks\.ndjson, line \d+: (cannot be read: the disk has changed the line|expected a JSON object)/,
          );
        else expect(loaded.blockInput(6)).toEqual(right);
        const { chain, ends = [] } = (await opened().load()) ?? {};
        for (const number of ends.keys()) expect(chain?.block(number)).toEqual(headers[number]);
      });
  });

  test("of the manifest is refused by name", async () => {
    await withBlocks(2);
    for (const store of open.splice(0)) await store.close();
    const { checksum: _, ...right } = manifest();
    for (let nth = 0; nth < FLIPS; nth += 1)
      await flipped("store.json", nth, async () => {
        try {
          opened();
          // Only the name of the checksum itself is not protected by it.
          expect(manifest()).toMatchObject(right);
        } catch (error) {
          expect(String(error)).toMatch(
            /store\.json (cannot be read|was not written by this version)/,
          );
        }
      });
  });

  test("of a source is refused by file and line, because a node has no sources", async () => {
    await withBlocks(2);
    for (const store of open.splice(0)) await store.close();
    const line = withChecksum(JSON.stringify({ address: headers[0]?.miner, name: "A" }));
    const damaged = line.replace('"A"', '"B"');
    writeFileSync(join(folder, "sources.ndjson"), `${damaged}\n`);
    await expect(opened().load()).rejects.toThrow(/^sources\.ndjson, line 1: the disk has changed/);
    expect(readFileSync(join(folder, "sources.ndjson"), "utf8")).toContain(damaged);
  });
});
