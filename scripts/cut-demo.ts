// Creates the demo chain: replays the first blocks of devnet on a real node and records the node's responses.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { RpcBlock } from "../mocks/double/sources/ingest/block.ts";
import { BlockSource } from "../mocks/workbench/follow/block-source.ts";
import { followNode } from "../mocks/workbench/follow/follow-node.ts";
import { sweep } from "../mocks/workbench/follow/head-state.ts";
import { RpcNode } from "../mocks/workbench/follow/rpc/node.ts";
import type { AnsweredCall } from "../mocks/workbench/follow/state-calls.ts";
import { startAnvil } from "../test/support/anvil.ts";
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
interface Source {
  readonly address: string;
  readonly name: string;
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
try {
  for (const { number, timestamp, coinbase, baseFee, hash, raw } of mined.slice(
    0,
    HEAD,
  ) as Mined[]) {
    await anvil.ask("anvil_setCoinbase", coinbase);
    await anvil.ask("anvil_setNextBlockBaseFeePerGas", baseFee);
    await anvil.ask("evm_setNextBlockTimestamp", timestamp);
    for (const transaction of raw) await anvil.ask("eth_sendRawTransaction", transaction);
    await anvil.ask("evm_mine");
    const block = (await anvil.ask("eth_getBlockByNumber", "latest", false)) as { hash: string };
    if (block.hash !== hash)
      throw new Error(`block ${number}: expected ${hash}, got ${block.hash}`);
  }

  const node = new RpcNode(anvil.url);
  const chainId = await node.call("eth_chainId", []);
  const source = new BlockSource(node, ["debug_traceBlockByNumber"]);
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
    ...swept,
  ];

  const codes = new Set(
    swept.flatMap(({ method, params: [account], ...response }) =>
      method === "eth_getCode" && "result" in response && response.result !== "0x"
        ? [String(account)]
        : [],
    ),
  );
  const seen = new Set<string>(SKIPPED_SOURCES);
  const sources = readLines("sources")
    .map((line) => JSON.parse(line) as Source)
    .filter(({ address, name }) => {
      // Each source once: a second contract with the same source has the same text.
      if (seen.has(name) || !codes.has(address)) return false;
      seen.add(name);
      return true;
    });

  rmSync(DEMO, { recursive: true, force: true });
  mkdirSync(DEMO, { recursive: true });
  writeLines("blocks.ndjson", blocks);
  writeLines("calls.ndjson", calls);
  writeLines("sources.ndjson", sources);
  write("oracle.json", JSON.stringify(await fetchOracle(anvil, HEAD, accounts)));
} finally {
  await anvil.stop();
}

console.log(`${total} bytes of at most ${MAX_BYTES}`);
if (total > MAX_BYTES) process.exitCode = 1;
