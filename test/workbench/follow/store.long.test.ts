// A chain kept in a folder: the next start goes on from it, whatever became of the process or the files before.
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { createExplorer, type Verifier } from "../../../mocks/node.ts";
import { type FollowOptions, followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { expectSameChain } from "../../support/account-state.ts";
import { DEMO, readRecords } from "../../support/chains.ts";
import { readDemoOracle } from "../../support/demo-oracle.ts";
import { FakeNode } from "../../support/fake-node.ts";
import { runs } from "../../support/runs.ts";

let demo: ChainWriter;
let addresses: Address[];
beforeAll(async () => {
  demo = await loadChain(DEMO);
  const known = Object.keys(readDemoOracle().nativeBalances);
  // Some are enough: what differs, differs in many.
  addresses = known.filter((_, index) => index % 5 === 0) as Address[];
});

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "mrc-store-")), "chain");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const options = (node: FakeNode, more: FollowOptions = {}): FollowOptions => ({
  fetch: node.fetch,
  retryDelay: 0,
  interval: 60_000,
  store: folder,
  ...more,
});

/** The chain up to the node's head, followed with the store and closed. */
async function follow(node: FakeNode, more: FollowOptions = {}): Promise<ChainWriter> {
  const follower = await followNode(node.url, options(node, more));
  await follower.close();
  return follower.chain;
}

const nodeAt = (head: number): FakeNode => {
  const node = new FakeNode();
  node.head = head;
  return node;
};

describe("a stored chain", () => {
  test("keeps the contracts that were verified", async () => {
    const [source] = readRecords(DEMO, "sources");
    const contract = (await loadChain(DEMO, { verified: true })).verified(
      source?.address as Address,
    );
    if (contract === undefined) throw new Error("the demo chain has no verified contract");
    const proven = {
      ...contract,
      message: "exact match",
      level: "exact" as const,
      uncovered: [],
      compiled: {
        files: new Map([[0, { name: "Token.sol", text: contract.source }]]),
        ...{ runtime: "1:2:0", creation: "3:4:0", isPlain: true },
        storage: {
          storage: [{ label: "owner", slot: "0", offset: 0, type: "t_address" }],
          types: { t_address: { encoding: "inplace", label: "address", numberOfBytes: "20" } },
        },
      },
    };
    const verifier: Verifier = {
      verify: async () => ({ verified: true, contract: proven, message: "exact match" }),
      close: async () => {},
    };
    const node = nodeAt(92);
    const follower = await followNode(node.url, options(node));
    const mock = createExplorer({ chain: follower, verifier });
    const explorer = new ExplorerClient({
      baseUrl: mock.baseUrl,
      apiKey: "any",
      fetch: mock.fetch,
    });
    await explorer.contracts.verify(contract.address, {
      contract_name: contract.contractName,
      compiler: contract.compiler,
      runs_optimizer: contract.runs,
      optimization_enabled: contract.optimizationEnabled,
      source: contract.source,
    });
    await follower.close();
    const expected = follower.chain.verified(contract.address);
    expect(expected).toMatchObject({ contractName: contract.contractName, level: "exact" });
    expect((await follow(nodeAt(92))).verified(contract.address)).toEqual(expected);
    expect((await loadChain(folder)).verified(contract.address)).toEqual(expected);
    // A line for other code than the chain has now is of a contract that is gone.
    const file = join(folder, "sources.ndjson");
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), code: "0x00" }),
    );
    expect((await loadChain(folder)).verified(contract.address)).toBeUndefined();
    writeFileSync(file, "\n", { flag: "a" });
    expect((await follow(nodeAt(92))).verified(contract.address)).toBeUndefined();
  });
});

describe("files that a killed process left", () => {
  const FILES = ["blocks.ndjson", "calls.ndjson", "sources.ndjson"];
  let whole: Map<string, Buffer>;
  beforeEach(async () => {
    whole = new Map();
    await follow(nodeAt(60));
    for (const name of [...FILES, "store.json"]) whole.set(name, readFileSync(join(folder, name)));
  });
  const restore = () => {
    for (const [name, bytes] of whole) writeFileSync(join(folder, name), bytes);
  };

  test("are used as far as they are whole, wherever they are cut off", async () => {
    const cut = fc.record({
      name: fc.constantFrom(...FILES),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(cut, async ({ name, at }) => {
        restore();
        const file = join(folder, name);
        truncateSync(file, Math.floor(at * statSync(file).size));
        expectSameChain(await follow(nodeAt(92)), demo, addresses);
        expectSameChain(await loadChain(folder), demo, addresses);
      }),
      { numRuns: runs(12) },
    );
  });
});
