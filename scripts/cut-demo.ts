// Creates the demo chain. Replays the first blocks of devnet on a real node, adds a collection with
// pictures, and records the node's responses.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { encodeAbiParameters, parseAbiParameters } from "viem";
import { BlockSource } from "../mocks/follow/block-source.ts";
import { followNode } from "../mocks/follow/follow-node.ts";
import { sweep } from "../mocks/follow/head-state.ts";
import { RpcNode } from "../mocks/follow/rpc/node.ts";
import type { AnsweredCall } from "../mocks/follow/state-calls.ts";
import type { RpcBlock } from "../mocks/ingest/block-fields.ts";
import { startAnvil } from "../test/support/anvil.ts";
import { compileProject } from "../test/support/compiled-project.ts";
import { fetchOracle } from "./demo-oracle.ts";

const DEVNET = fileURLToPath(new URL("../../shared/chains/devnet/", import.meta.url));
const DEMO = fileURLToPath(new URL("../mocks/demo/", import.meta.url));

/** The last block to record: as many as the size allows. */
const HEAD = 92;
const MAX_BYTES = 600_000;
/** Sources that are too long for a demo; their libraries are in the others as well. */
const SKIPPED_SOURCES = new Set(["Multi1155"]);

interface Start {
  readonly flags: readonly string[];
}
interface Mined {
  readonly number: number;
  readonly timestamp: number;
  readonly coinbase: string;
  readonly baseFee: string;
  readonly hash: string;
  readonly raw: readonly string[];
}
interface Latest {
  readonly hash: string;
  readonly transactions: readonly string[];
}
interface Source {
  readonly address: string;
  readonly name: string;
}

/**
 * Accounts of the node without any other transaction: the first creates the collection, and all
 * three get its tokens.
 */
const ARTIST = "0xd9065f27e9b706e5f7628e067cc00b288dddbf19";
const COLLECTORS = [
  ARTIST,
  "0x9e126c57330fa71556628e0aabd6b6b6783d99fa",
  "0x011bd5423c5f77b5a0789e27f922535fd76b688f",
] as const;
const PICTURES = 12;

/** Groups of recorded calls, by JSON-RPC method or by the selector of the function called. */
const groups: Readonly<Record<string, string>> = {
  ...{ eth_getBalance: "native-balance", eth_getCode: "code" },
  ...{ "0x06fdde03": "token-meta", "0x95d89b41": "token-meta" },
  ...{ "0x313ce567": "token-meta", "0x18160ddd": "token-meta" },
  ...{ "0x01ffc9a7": "erc165", "0xc87b56dd": "token-uri", "0x70a08231": "balance-of" },
};

function groupOf({ method, params: [call] }: AnsweredCall): string | undefined {
  const data = (call as { readonly data?: string } | undefined)?.data;
  return groups[method] ?? groups[data?.slice(0, 10) ?? ""];
}

/** The collection's source, with what a transaction of it needs. */
function collection() {
  const source = readFileSync(new URL("mosaic.sol", import.meta.url), "utf8");
  const optimizer = { enabled: true, runs: 200 };
  const project = compileProject({ "Mosaic.sol": source }, { optimizer });
  const owners = Array.from(
    { length: PICTURES },
    (_, index) => COLLECTORS[index % COLLECTORS.length] ?? ARTIST,
  );
  const constructorArguments = encodeAbiParameters(parseAbiParameters("address[]"), [owners]).slice(
    2,
  );
  return {
    data: `${project.code("Mosaic")}${constructorArguments}`,
    record: {
      ...{ name: "Mosaic", compiler: "v0.8.28+commit.7893614a", optimizer: true, runs: 200 },
      ...{ evmVersion: "paris", constructorArguments, libraries: {}, fileName: "Mosaic.sol" },
      ...{ internal: false, abi: project.abi("Mosaic"), source },
    },
  };
}

function readLines(file: string): string[] {
  return gunzipSync(readFileSync(`${DEVNET}${file}.ndjson.gz`))
    .toString()
    .trim()
    .split("\n");
}

let total = 0;
function write(name: string, text: string): void {
  const bytes = gzipSync(text, { level: 9 });
  total += bytes.length;
  writeFileSync(`${DEMO}${name}.gz`, bytes);
  console.log(`${name}.gz: ${bytes.length} bytes`);
}

function writeLines(name: string, records: readonly unknown[]): void {
  write(name, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
}

const [start, ...mined] = readLines("replay").map((line) => JSON.parse(line));
const { flags } = start as Start;
const anvil = await startAnvil(flags);
const { data, record } = collection();
try {
  for (const { number, timestamp, coinbase, baseFee, hash, raw } of mined.slice(
    0,
    HEAD,
  ) as Mined[]) {
    await anvil.ask("anvil_setCoinbase", coinbase);
    await anvil.ask("anvil_setNextBlockBaseFeePerGas", baseFee);
    await anvil.ask("evm_setNextBlockTimestamp", timestamp);
    for (const transaction of raw) await anvil.ask("eth_sendRawTransaction", transaction);
    if (number === HEAD) {
      const fees = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x3b9aca00" };
      await anvil.ask("eth_sendTransaction", { from: ARTIST, data, gas: "0x4c4b40", ...fees });
    }
    await anvil.ask("evm_mine");
    const block = (await anvil.ask("eth_getBlockByNumber", "latest", false)) as Latest;
    if (number < HEAD && block.hash !== hash)
      throw new Error(`block ${number}: expected ${hash}, got ${block.hash}`);
  }
  const last = (await anvil.ask("eth_getBlockByNumber", "latest", false)) as Latest;
  const txHash = last.transactions.at(-1);
  const created = (await anvil.ask("eth_getTransactionReceipt", txHash)) as {
    contractAddress: string;
  };

  const node = new RpcNode(anvil.url);
  const chainId = await node.call("eth_chainId", []);
  const source = new BlockSource(node);
  source.avoid(["trace_block"]);
  const blocks: RpcBlock[] = [];
  for (let number = 0; number <= HEAD; number += 1) {
    const [block] = await source.blocks(number, 1);
    if (block === undefined) throw new Error(`the node has no block ${number}`);
    blocks.push(block);
  }

  const { chain, close } = await followNode(anvil.url);
  const swept: AnsweredCall[] = [];
  for await (const { calls } of sweep(chain, node, 0)) swept.push(...calls);
  await close();
  const accounts = swept.flatMap(({ method, params: [account] }) =>
    method === "eth_getBalance" ? [String(account)] : [],
  );
  const genesis = await node.callAll(
    accounts.map((of) => ({ method: "eth_getBalance", params: [of, "0x0"] })),
  );
  const calls: object[] = [
    { group: "chain", method: "eth_chainId", params: [], result: chainId },
    ...accounts.flatMap((of, index) => {
      const response = genesis[index];
      const held = response !== undefined && "result" in response && response.result !== "0x0";
      return held
        ? [{ group: "genesis-balance", method: "eth_getBalance", params: [of, "0x0"], ...response }]
        : [];
    }),
    ...swept.map((call) => ({ group: groupOf(call), ...call })),
  ];

  const codes = new Set(
    swept.flatMap(({ method, params: [account], ...response }) =>
      method === "eth_getCode" && "result" in response && response.result !== "0x"
        ? [String(account)]
        : [],
    ),
  );
  const usedNames = new Set<string>(SKIPPED_SOURCES);
  const sources = readLines("sources")
    .map((line) => JSON.parse(line) as Source)
    .filter(({ address, name }) => {
      // Each source once: a second contract with the same source has the same text.
      if (usedNames.has(name) || !codes.has(address)) return false;
      usedNames.add(name);
      return true;
    });

  rmSync(DEMO, { recursive: true, force: true });
  mkdirSync(DEMO, { recursive: true });
  writeLines("blocks.ndjson", blocks);
  writeLines("calls.ndjson", calls);
  const mosaic = { address: created.contractAddress, ...record, txHash };
  writeLines("sources.ndjson", [...sources, mosaic]);
  write("oracle.json", JSON.stringify(await fetchOracle(anvil, HEAD, accounts)));
} finally {
  await anvil.stop();
}

console.log(`${total} bytes of at most ${MAX_BYTES}`);
if (total > MAX_BYTES) process.exitCode = 1;
