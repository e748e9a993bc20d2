// All issues of a node's response are reported at once, each with its location.
import { describe, expect, test } from "vitest";
import { parseChain } from "../../../../mocks/double/sources/ingest/parse-chain.ts";
import { RpcNode } from "../../../../mocks/workbench/follow/rpc/node.ts";
import { DEMO, readRecords } from "../../../support/chains.ts";

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
    Object.assign(damaged.receipts[0] ?? {}, { transactionHash: null });
    expect(() => parseChain({ blocks: JSON.stringify(damaged) }, { chainId: 1 })).toThrow(
      /^blocks\.ndjson, line 1, block \d+, block\.miner: expected an address \(20 bytes in hexadecimal\), received "0x12"; receipts\[0\]\.transactionHash: expected .*, received null$/,
    );
  });

  test("that identifies a block is refused, whatever else is missing", () => {
    const damaged = busyBlock();
    damaged.block = { number: "0x1", transactions: [] };
    expect(() => parseChain({ blocks: JSON.stringify(damaged) }, { chainId: 1 })).toThrow(
      /block\.hash: expected a hash .*; block\.parentHash: .*; block\.timestamp: .*; block\.miner: /,
    );
  });
});

test("an answer that is no JSON-RPC names the node, and shows no key in its address", async () => {
  const fetch = async () => Response.json({ jsonrpc: "2.0", id: 1, error: "slow down" });
  const node = new RpcNode("http://node.example/v3/secret", { fetch, retries: 0 });
  await expect(node.call("eth_chainId", [])).rejects.toThrow(
    'expected a JSON-RPC response from http://node.example, received HTTP 200 with another body: error: expected an object, received "slow down"',
  );
});
