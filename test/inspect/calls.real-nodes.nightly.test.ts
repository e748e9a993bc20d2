// Failing transactions on real nodes: the page shows why each failed, and on which line.
import { readFileSync } from "node:fs";
import { encodeDeployData, encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { createVerifier } from "../../mocks/node.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { ExplorerClient } from "../../src/index.ts";
import { startAnvil } from "../support/anvil.ts";
import { compileProject, sendTransaction } from "../support/compiled-project.ts";
import { temporaryFolder } from "../support/project.ts";
import { describeWithNode, startRealNode } from "../support/real-nodes.ts";
import type { TestNode } from "../support/test-node.ts";
import { createInspector } from "./served.ts";

const FILE = "contracts/Failing.sol";
const source = readFileSync(new URL("failing.sol", import.meta.url), "utf8");

const project = compileProject({ [FILE]: source });

/** A call of Vault's function `name`, unless `how` says otherwise. `line` is the mark on the line, by default `name`. */
interface Case {
  readonly name: string;
  readonly values?: readonly unknown[];
  readonly reason: string | RegExp;
  readonly line?: string;
  readonly how?: "proxy" | "creation" | "value" | "no such function";
}

const cases: readonly Case[] = [
  { name: "text", reason: "not yours" },
  { name: "revertText", reason: "closed for today" },
  {
    name: "longText",
    reason: "a reason that is a good deal longer than the thirty-two bytes of one word",
  },
  { name: "emptyText", reason: "" },
  { name: "unicodeText", reason: "zu spät ☂" },
  { name: "noText", values: [1n], reason: "reverted without a reason" },
  { name: "custom", reason: "Closed()" },
  { name: "customArguments", reason: "NotEnough(has: 100, wants: 999)" },
  { name: "customText", reason: "Refused(why: why, final_: true)" },
  { name: "customStruct", reason: 'BadOrder(order: {"id":"7","note":"note"}, sides: [0,5])' },
  { name: "requireCustom", values: [4n], reason: "NotEnough(has: 4, wants: 10)" },
  { name: "modified", reason: "not the owner" },
  { name: "inherited", values: [0n], reason: "inherited" },
  { name: "internalCall", reason: "NotEnough(has: 4, wants: 5)" },
  { name: "divide", values: [0n], reason: "division or modulo by zero" },
  { name: "overflow", values: [1n], reason: "arithmetic overflow or underflow" },
  { name: "underflow", reason: "arithmetic overflow or underflow" },
  { name: "asserts", values: [1n], reason: "assertion failed" },
  { name: "enums", values: [2n], reason: "invalid value for an enum" },
  { name: "index", values: [3n], reason: "array index out of bounds" },
  { name: "pop", reason: "pop of an empty array" },
  { name: "memory_", values: [2n ** 64n], reason: "too much memory allocated" },
  { name: "pointer", reason: "call of an internal function that was never set" },
  { name: "tooLarge", reason: "array index out of bounds" },
  { name: "nested", values: [9n], reason: /^NoCredit\(who: 0x[\da-f]{40}, has: 3, wants: 9\)$/ },
  { name: "twoDeep", reason: "Empty(currency: EUR)" },
  { name: "nestedText", reason: "the bank is closed" },
  { name: "nestedPanic", reason: "division or modulo by zero" },
  { name: "nestedOutOfGas", reason: /out ?of ?gas/i },
  { name: "hidden", values: [1n], reason: "call failed" },
  { name: "caught", reason: "caught" },
  { name: "wrapped", reason: "Wrapped(reason: the bank is closed)", line: "wrapped_" },
  { name: "rethrown", reason: /^NoCredit\(.*wants: 2\)$/ },
  { name: "caughtAndAfter", reason: "NotEnough(has: 1, wants: 2)", line: "caughtAndAfter_" },
  { name: "noContract", reason: "reverted without a reason" },
  { name: "noAnswer", reason: "reverted without a reason" },
  { name: "libraryText", values: [11n], reason: "the library says no" },
  { name: "libraryError", values: [11n], reason: "TooLarge(value: 11, limit: 10)" },
  { name: "outOfGas", reason: /out ?of ?gas/i },
  { name: "invalid", reason: /invalid|bad instruction/i },
  { name: "rawBytes", reason: "0xdeadbeef" },
  {
    name: "factory",
    values: [`0x${"00".repeat(20)}`],
    reason: `NoOwner(given: 0x${"00".repeat(20)})`,
  },
  { name: "customArguments", how: "proxy", reason: "NotEnough(has: 100, wants: 999)" },
  { name: "text", how: "proxy", reason: "not yours" },
  {
    ...{ name: "Broken", how: "creation", line: "constructorError" },
    values: [`0x${"00".repeat(20)}`, 1n],
    reason: `NoOwner(given: 0x${"00".repeat(20)})`,
  },
  {
    ...{ name: "Broken", how: "creation", line: "constructorText" },
    values: [`0x${"01".repeat(20)}`, 200n],
    reason: "fee too high",
  },
  {
    ...{ name: "Broken", how: "creation", line: "constructorPanic" },
    values: [`0x${"01".repeat(20)}`, 0n],
    reason: "division or modulo by zero",
  },
];

/** Returns the number of the line with the mark. */
const lineOf = ({ name, line = name }: Case): number =>
  source.split("\n").findIndex((text) => new RegExp(`fails: .*\\b${line}\\b`).test(text)) + 1;

const titleOf = ({ name, how, line }: Case) => [name, how, line].filter(Boolean).join(" ");

/** Deploys the project and sends all transactions. Returns their hashes and two contracts. */
async function play(node: TestNode) {
  const send = (fields: object) => sendTransaction(node, fields);
  const { address: library } = await send({ data: project.code("Numbers") });
  const { address: vault } = await send({ data: project.code("Vault", library.slice(2)) });
  const clone = `363d3d373d3d3d363d73${vault.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  const { address: proxy } = await send({ data: `0x3d602d80600a3d3981f3${clone}` });
  const hashes: string[] = [];
  for (const { name, values = [], how } of cases) {
    const abi = project.abi(how === "creation" ? name : "Vault");
    const fields =
      how === "creation"
        ? { data: encodeDeployData({ abi, bytecode: project.code(name), args: values }) }
        : {
            to: how === "proxy" ? proxy : vault,
            data: encodeFunctionData({ abi, functionName: name, args: values }),
            gas: "0x30000",
          };
    hashes.push((await send(fields)).hash);
  }
  return { hashes, vault, library };
}

/** `verifies`: whether C3 is tested here, which takes long. */
function tests(start: () => Promise<TestNode>, verifies = false) {
  let node: TestNode;
  let played: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    node = await start();
  }, 240_000);
  afterAll(async () => {
    await node?.stop();
  });

  test("each says why, and on which line", async () => {
    played = await play(node);
    const { hashes } = played;
    const known = project.known();
    const follower = await followNode(node.url, {
      onHead: (chain) => known.update(chain),
      contractCreatedBy: (creation) => known.createdBy(creation),
    });
    const served = await serveExplorer(createExplorer({ chain: follower }));
    onTestFinished(async () => {
      await served.close({ graceMs: 0 });
      await follower.close();
    });
    const ask = createInspector(served.url, "k");
    const [wrong, elsewhere]: [unknown[], unknown[]] = [[], []];
    for (const [index, one] of cases.entries()) {
      const { failure } = await ask("transaction", { hash: `${hashes[index]}` });
      const { reason = "nothing" } = failure ?? {};
      const isRight =
        typeof one.reason === "string" ? reason === one.reason : one.reason.test(reason);
      if (!isRight) wrong.push([titleOf(one), reason]);
      const { place } = await ask("source", { hash: `${hashes[index]}` });
      if (place?.line !== lineOf(one)) elsewhere.push([titleOf(one), place?.line, lineOf(one)]);
    }
    expect(wrong).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  if (verifies)
    test("lines are known of a source that C3 verified, also after a restart from a store", async () => {
      const store = temporaryFolder("failing", onTestFinished);
      const verifier = createVerifier();
      onTestFinished(() => verifier.close());
      const { hashes, vault, library } = played;
      const elsewhere: unknown[] = [];
      for (const isFirst of [true, false]) {
        const own = await followNode(node.url, { store });
        const served = await serveExplorer(createExplorer({ chain: own, verifier }));
        const client = new ExplorerClient({ baseUrl: served.url, apiKey: "k" });
        const placeOf = async (hash: unknown) =>
          (await createInspector(served.url, "k")("source", { hash: String(hash) })).place;
        if (isFirst) {
          expect(await placeOf(hashes[0])).toBeNull();
          const verified = await client.contracts.verify(vault, {
            ...{ contract_name: "Vault", compiler: "v0.8.28+commit.7893614a", source },
            ...{ runs_optimizer: 200, optimization_enabled: false, evm_version: "paris" },
            libraries: [{ name: "Numbers", address: library }],
          });
          expect(verified).toMatchObject({ verify_level: "partial" });
        }
        // Only Vault was verified, so only failures in its own code have lines.
        for (const [index, one] of cases.entries()) {
          if (
            one.how !== undefined ||
            !/^(text|custom|modified|divide|internalCall)/.test(one.name)
          )
            continue;
          const place = await placeOf(hashes[index]);
          if (place?.line !== lineOf(one)) elsewhere.push([titleOf(one), place?.line, lineOf(one)]);
        }
        await served.close({ graceMs: 0 });
        await own.close();
      }
      expect(elsewhere).toEqual([]);
    });
}

describe("failing transactions of anvil", () => tests(() => startAnvil(), true));

describeWithNode("hardhat-3", "failing transactions of hardhat-3", () =>
  tests(() => startRealNode("hardhat-3")),
);
