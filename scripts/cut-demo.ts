// Cuts the project's demo chain: replays the first blocks of devnet on a real node and writes down what the node answers.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BlockInput } from "../mocks/chain/block-input.ts";
import { type BlockAnswers, readBlock } from "../mocks/ingest/block.ts";
import { BlockSource } from "../mocks/ingest/fetch-block.ts";
import { type CallRecord, fetchHeadState, touchedBy } from "../mocks/ingest/fetch-head-state.ts";
import { RpcNode } from "../mocks/ingest/rpc.ts";
import { startAnvil } from "../test/support/anvil.ts";
import { askOracle } from "./demo-oracle.ts";

const DEVNET = fileURLToPath(new URL("../../shared/chains/devnet/", import.meta.url));
const DEMO = fileURLToPath(new URL("../mocks/demo/", import.meta.url));

/** Block 0 to this one: as many as the size allows. */
const HEAD = 92;
const MAX_BYTES = 600_000;
/** Sources too long for a demo: the libraries they bring along are in the others as well. */
const LEFT_OUT = new Set(["Multi1155"]);

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
  const chainId = await node.ask("eth_chainId", []);
  const source = new BlockSource(node, ["debug_traceBlockByNumber"]);
  const answers: BlockAnswers[] = [];
  const bodies: BlockInput[] = [];
  for (let number = 0; number <= HEAD; number += 1) {
    const block = await source.block(number);
    if (block === undefined) throw new Error(`the node has no block ${number}`);
    answers.push(block);
    bodies.push(readBlock(block, { chainId: Number(chainId) }));
  }

  const touched = touchedBy(bodies);
  const accounts = [
    ...new Set([...touched.accounts, ...((await node.ask("eth_accounts", [])) as `0x${string}`[])]),
  ];
  const genesis = await node.askAll(
    accounts.map((of) => ({ method: "eth_getBalance", params: [of, "0x0"] })),
  );
  const calls: (CallRecord | object)[] = [
    { group: "chain", method: "eth_chainId", params: [], result: chainId },
    ...accounts.flatMap((of, index) => {
      const answer = genesis[index];
      const held = answer !== undefined && "result" in answer && answer.result !== "0x0";
      return held
        ? [{ group: "genesis-balance", method: "eth_getBalance", params: [of, "0x0"], ...answer }]
        : [];
    }),
    ...(await fetchHeadState(node, { ...touched, accounts: new Set(accounts) }, "latest")),
  ];

  const codes = new Set(
    calls.flatMap((call) =>
      "group" in call &&
      call.group === "code" &&
      "result" in call &&
      call.result !== "0x" &&
      "params" in call
        ? [String((call.params as unknown[])[0])]
        : [],
    ),
  );
  const named = new Set<string>(LEFT_OUT);
  const sources = readLines("sources")
    .map((line) => JSON.parse(line) as Source)
    .filter(({ address, name }) => {
      // One of each: the same source a second time is the same text again.
      if (named.has(name) || !codes.has(address)) return false;
      named.add(name);
      return true;
    });

  rmSync(DEMO, { recursive: true, force: true });
  mkdirSync(DEMO, { recursive: true });
  writeLines("blocks.ndjson", answers);
  writeLines("calls.ndjson", calls);
  writeLines("sources.ndjson", sources);
  write("oracle.json", JSON.stringify(await askOracle(anvil, HEAD, accounts)));
} finally {
  await anvil.stop();
}

console.log(`${total} bytes of at most ${MAX_BYTES}`);
if (total > MAX_BYTES) process.exitCode = 1;
