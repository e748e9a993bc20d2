// All issues of a node's response are reported at once, each with its location.
import { describe, expect, test } from "vitest";
import { parseChain } from "../../../../mocks/double/sources/ingest/parse-chain.ts";
import { readTraces } from "../../../../mocks/double/sources/ingest/traces.ts";
import { RpcNode } from "../../../../mocks/workbench/follow/rpc/node.ts";
import { DEMO, readRecords } from "../../../support/chains.ts";

const HASH = `0x${"aa".repeat(32)}` as const;
const A = `0x${"0a".repeat(20)}` as const;

/** The first block of the demo chain with transactions, as an object of its own. */
function busyBlock() {
  const [busy] = readRecords(DEMO, "blocks").filter(({ receipts }) => Object(receipts).length > 0);
  return structuredClone(busy) as {
    block: Record<string, unknown>;
    receipts: Record<string, unknown>[];
  };
}

describe("all issues", () => {
  test("with a block and its receipts is reported in one error", () => {
    const damaged = busyBlock();
    Object.assign(damaged.block, { miner: "0x12", gasUsed: -1 });
    Object.assign(damaged.receipts[0] ?? {}, { gasUsed: null });
    expect(() => parseChain({ blocks: JSON.stringify(damaged) }, { chainId: 1 })).toThrow(
      /^blocks\.ndjson, line 1, block \d+, block\.miner: expected an address \(20 bytes in hexadecimal\), received "0x12"; block\.gasUsed: expected an integer such as 0x1a, below 2\^53, received -1; receipts\[0\]\.gasUsed: expected .*, received null$/,
    );
  });

  test("is cut short after five issues", () => {
    const damaged = busyBlock();
    damaged.block = { number: "0x1", transactions: [] };
    expect(() => parseChain({ blocks: JSON.stringify(damaged) }, { chainId: 1 })).toThrow(
      /block\.hash: expected a hash .*; block\.gasUsed: .*; and 1 more$/,
    );
  });

  test("with the frames of a transaction is reported in one error", () => {
    const inner = { type: "CALL", from: "0x12", to: A };
    const outer = { type: "CALL", from: A, to: A, value: "much", calls: [inner] };
    const failed = { type: "CALL", from: A, to: A, calls: [inner, { ...outer, value: "0x1" }] };
    expect(() =>
      readTraces({ traces: [{ ...failed, calls: [outer, failed] }] }, "traces", [HASH]),
    ).toThrow(
      /^traces\[0\]\.calls\[0\]\.value: expected an integer .*; traces\[0\]\.calls\[1\]\.calls\[0\]\.from: expected an address .*; traces\[0\]\.calls\[1\]\.calls\[1\]\.calls\[0\]\.from: /,
    );
  });
});

test("an entry of trace_block that is of no known type is reported with the known types", () => {
  const entry = { type: "daofork", action: {}, traceAddress: [], subtraces: 0 };
  expect(() => readTraces({ traces: [entry] }, "traces", [HASH])).toThrow(
    'traces[0].type: expected one of call, create, suicide, selfdestruct, reward, received "daofork"',
  );
});

test("an answer that is no JSON-RPC names the node, and shows no key in its address", async () => {
  const fetch = async () => Response.json({ jsonrpc: "2.0", id: 0, error: "slow down" });
  const node = new RpcNode("http://node.example/v3/secret", { fetch, retries: 0 });
  await expect(node.call("eth_chainId", [])).rejects.toThrow(
    'expected a JSON-RPC response from http://node.example, received HTTP 200 with another body: error: expected an object, received "slow down"',
  );
});
