// The names that examples of docstrings use: a client, a mock explorer with the demo chain, and
// addresses on it.
import { QueryClient } from "@tanstack/query-core";
import { setupServer } from "msw/node";
import { decodeEventLog, formatEther, formatUnits } from "viem";
import { expect } from "vitest";
import * as msw from "../../mocks/msw.ts";
import * as mocks from "../../mocks/node.ts";
import type {
  Address,
  ExplorerClientOptions,
  Hash,
  VerificationSubmission,
} from "../../src/index.ts";
import * as client from "../../src/index.ts";
import * as proxy from "../../src/proxy.ts";
import { createQueries, queries } from "../../src/tanstack.ts";
import { DEMO, readRecords, readZipped } from "../support/chains.ts";

const { coins, createExplorer, eventTopic, loadDemo } = mocks;

const demo = await loadDemo({ verified: true });
let verifier: mocks.Verifier | undefined;
/** Another file of tests may run in this process. */
export async function closeScope(): Promise<void> {
  await verifier?.close();
  verifier = undefined;
}

const address: Address = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const token: Address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection: Address = "0x71c95911e9a5d330f4d621842ec243ee1343292e";
const contract: Address = "0x8a791620dd6260079bf849dc5567adc3f2fdc318";
const hash: Hash = demo.transactions(contract, "to", {}).at(0).hash;

const logs = demo.logs({ address: token, topics: [], operand: "and" });
const {
  data,
  topics: [transferTopic, ...topics],
} = logs.at(0);

const readFile = async (name: string, _encoding: "utf8"): Promise<string> => {
  if (name === "blocks.ndjson") return readZipped(DEMO, `${name}.gz`);
  const source = readRecords(DEMO, "sources").find(({ fileName }) => fileName === name)?.source;
  return typeof source === "string" ? source : Promise.reject(new Error(`no file ${name}`));
};

/** A submission that verifies `contract`. */
const submission: VerificationSubmission = {
  contract_name: "Market",
  compiler: "v0.8.20+commit.a1b79de6",
  runs_optimizer: 200,
  optimization_enabled: false,
  source: await readFile("Market.sol", "utf8"),
};

/** The names for one reader; what is done to them, no other one sees. */
export async function createScope() {
  const chain = demo.fork();
  verifier ??= mocks.createVerifier();
  const mock = createExplorer({ chain, verifier });

  /** A client that finds the double wherever the service is said to be, unless it is given a `fetch`. */
  class ExplorerClient extends client.ExplorerClient {
    constructor(options: ExplorerClientOptions = {}) {
      const { baseUrl, fetch } = mock;
      super({ apiKey: "any", baseUrl, ...options, ...(options.fetch ? {} : { baseUrl, fetch }) });
    }
  }

  const builder = mocks.buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob", balance: coins(10) });
  const vault = builder.deploy(alice).address;
  builder.mine();
  const payment = builder.transfer(alice, bob, 1n);
  builder.mine(2);

  const enough = new AbortController();
  const printed: unknown[] = [];
  const running: unknown[] = [];
  return {
    ...mocks,
    ...msw,
    ...client,
    ...proxy,
    ...{ createQueries, queries, queryClient: new QueryClient() },
    ...{
      decodeEventLog,
      formatEther,
      formatUnits,
      setupServer,
      expect,
    },
    ...{ builder, alice, bob, vault, payment },
    ...{ address, token, collection, contract, hash, chain, mock, ExplorerClient },
    explorer: new ExplorerClient(),
    addresses: [address, token] as readonly Address[],
    holder: demo.nfts(collection).at(0).owner,
    miner: chain.head.miner,
    transferTopic: eventTopic("Transfer(address,address,uint256)"),
    log: { data },
    topics: [transferTopic ?? hash, ...topics] as [Hash, ...Hash[]],
    baseUrl: mock.baseUrl,
    process: { env: { EXPLORER_API_KEY: "any" } },
    /** Ends what has no end by itself, as soon as it says something. */
    signal: enough.signal,
    console: {
      log(...values: readonly unknown[]) {
        printed.push(values);
        enough.abort();
      },
    },
    readFile,
    /** A limiter that processes share: test/examples/workers.test.ts. */
    queue: { removeTokens: async (_count: number) => 0 },
    submission,
    loadChain: async (folder: string, options?: mocks.LoadOptions) =>
      folder === "chains/devnet"
        ? mocks.loadChain(DEMO, options)
        : mocks.loadChain(folder, options),
    /** A test of an example runs at once. */
    test: (_name: string, run: () => unknown) => void running.push(run()),
    running,
    printed,
  };
}
