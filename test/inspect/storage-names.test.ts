// Names of variables in changed slots: each layout of Solidity, on anvil, and a hostile layout.
import { readFileSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { expect, onTestFinished, test } from "vitest";
import type { StorageLayout } from "../../mocks/chain/records.ts";
import { storageLayoutSchema } from "../../mocks/ingest/sources.ts";
import { namedChanges } from "../../mocks/inspect/storage-names.ts";
import { followNode } from "../../mocks/node.ts";
import { startAnvil } from "../support/anvil.ts";
import { compileProject, sendTransaction } from "../support/compiled-project.ts";
import { lookEachTest } from "./served.ts";

const look = lookEachTest();

test("variables of every kind, mappings by keys that the call mentions", async () => {
  const project = compileProject({
    "Places.sol": readFileSync(new URL("storage.sol", import.meta.url), "utf8"),
  });
  const node = await startAnvil();
  const known = project.known();
  const follower = await followNode(node.url, {
    interval: 50,
    onHead: (chain) => known.update(chain),
  });
  onTestFinished(async () => {
    await follower.close();
    await node.stop();
  });
  const { address } = await sendTransaction(node, { data: project.code("Places") });
  const spender = `0x${"5e".repeat(20)}` as const;
  const salt = `0x${"ab".repeat(32)}` as const;
  const args = [spender, 1234n, "Aurora", salt];
  const data = encodeFunctionData({ abi: project.abi("Places"), functionName: "change", args });
  const { hash } = await sendTransaction(node, { to: address, data });
  const [from] = (await node.ask("eth_accounts")) as string[];
  await expect.poll(() => follower.chain.transaction(hash)).toBeDefined();
  const { ask } = await look({ chain: follower });
  const { state } = await ask("changes", { hash });
  const slots = (state ?? []).filter(({ what }) => what === "storage");
  expect(slots.filter(({ variables }) => variables.length === 0)).toEqual([]);
  const named = slots
    .flatMap(({ variables }) => variables)
    .map(({ name, before, after }) => `${name}: ${before} > ${after}`);
  expect(named.sort()).toEqual(
    [
      "paused: false > true",
      "temperature: -4 > -5",
      "phase: 0 > 1",
      "total: 0 > 1234",
      `allowance[${from?.toLowerCase()}][${spender}]: 0 > 1234`,
      'byName["Aurora"]: 0 > 1234',
      `used[${salt}]: false > true`,
      "amounts.length: 0 > 1",
      "amounts[0]: 0 > 1234",
      "small[2]: 0 > 9",
      'title: "short" > 44 bytes',
      `title[0…31]: 0x${"0".repeat(64)} > 0x${Buffer.from("a title that is longer than thir").toString("hex")}`,
      `title[32…63]: 0x${"0".repeat(64)} > 0x${Buffer.from("ty-one bytes").toString("hex").padEnd(64, "0")}`,
      "orders.length: 0 > 1",
      "orders[0].amount: 0 > 3",
      "orders[0].paid: false > true",
      `orders[0].shares[${spender}]: 0 > 11`,
      'byId[7].note: "" > "hello"',
      "nextId: 7 > 8",
    ].sort(),
  );
});

test("a recursive layout is left after some thousand hashes", () => {
  const mapping = {
    ...{ encoding: "mapping", label: "m", numberOfBytes: "32", key: "number" },
    value: "struct",
  };
  const layout: StorageLayout = {
    storage: [{ label: "all", slot: "0", offset: 0, type: "struct" }],
    types: {
      number: { encoding: "inplace", label: "uint256", numberOfBytes: "32" },
      mapping,
      struct: {
        ...{ encoding: "inplace", label: "struct", numberOfBytes: "64" },
        members: [
          { label: "again", slot: "0", offset: 0, type: "struct" },
          { label: "more", slot: "1", offset: 0, type: "mapping" },
        ],
      },
    },
  };
  const words = new Set(Array.from({ length: 300 }, (_, index) => BigInt(index)));
  const slot = `0x${"12".repeat(32)}` as const;
  const changes = [{ slot, before: "0x0", after: "0x1" }];
  const named = namedChanges(layout, changes, { words, texts: new Set() });
  expect(named.get(slot)).toEqual([]);
});

test("a layout with numbers of any size costs no memory, and one with other texts is refused", () => {
  const layout = (label: string, numberOfBytes: string, number = "0"): StorageLayout => ({
    storage: [{ label: "a", slot: number, offset: 0, type: "t" }],
    types: { t: { encoding: "inplace", label, numberOfBytes } },
  });
  const slot = `0x${"0".repeat(64)}` as const;
  const changes = [{ slot, before: "0x0", after: "0x1" }];
  for (const label of ["bytes32", "uint256", "int256"]) {
    const hostile = layout(label, "9".repeat(78));
    expect(storageLayoutSchema.safeParse(hostile).success).toBe(true);
    const named = namedChanges(hostile, changes, { words: new Set(), texts: new Set() });
    expect(named.get(slot)?.[0]?.after).toMatch(/^(1|0x0{63}1)$/);
  }
  for (const wrong of [layout("uint256", "1e9"), layout("uint256", "32", "x")])
    expect(storageLayoutSchema.safeParse(wrong).success).toBe(false);
});
