// forge, cast, Hardhat 2 and Hardhat 3 verify what they deployed, with the explorer that follows their node as their Etherscan and Sourcify.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import type { ServedExplorer } from "../../mocks/node.ts";
import type { ExplorerClient } from "../../src/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { startAnvil } from "../support/anvil.ts";
import { startRealNode } from "../support/real-nodes.ts";
import type { TestNode } from "../support/test-node.ts";
import { counterSources, type Explored, exploredProject } from "./explored.ts";
import { castInstalled, forgeCreate, type ToolName, type ToolProject, tool } from "./projects.ts";

type Judged = Exclude<ToolName, "hardhat-upgrades">;

const scores = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Points {
  function twice(uint256 value) external pure returns (uint256) { return value * 2; }
}
contract Scores {
  uint256 public immutable first;
  constructor(uint256 given) { first = given; }
  function score(uint256 value) external pure returns (uint256) { return Points.twice(value); }
}
`;

const startNode = (name: Judged): Promise<TestNode> =>
  name === "forge" ? startAnvil(["--chain-id", "1717"]) : startRealNode(name);

const successes: Readonly<Record<Judged, string>> = {
  forge: "Contract successfully verified",
  "hardhat-2": "Successfully verified contract Counter on the block explorer",
  "hardhat-3": "Contract verified successfully on Etherscan",
};

describe.each(["forge", "hardhat-2", "hardhat-3"] as const)("%s", (name) => {
  const { installed } = tool(name);
  describe.skipIf(!installed)("verifies with the explorer", () => {
    let explored: Explored;
    let node: TestNode;
    let served: ServedExplorer;
    let project: ToolProject;
    let client: ExplorerClient;

    beforeAll(async () => {
      explored = await exploredProject(tool(name), await startNode(name), counterSources);
      ({ node, served, project, client } = explored);
    });
    afterAll(() => explored?.close());

    const deployed = (first: number) => explored.deployed(first);
    const followed = (address: Address) => explored.followed(address);

    test("a contract of several files, exactly", async () => {
      const address = await deployed(7);
      const run = await project.verify(address, 7);
      expect(run).toEqual({ code: 0, output: expect.stringContaining(successes[name]) });

      expect(await client.contracts.abi(address)).toContainEqual(
        expect.objectContaining({ name: "increment" }),
      );
      const { contract_source, ...code } = await client.contracts.code(address);
      expect(code).toMatchObject({
        contract_name: "Counter",
        compiler: "v0.8.28+commit.7893614a",
        constructor_arguments: `${"0".repeat(63)}7`,
        verify_level: "exact",
      });
      const { sources } = JSON.parse(String(contract_source)) as { sources: object };
      expect(Object.values(sources)).toEqual(
        expect.arrayContaining(Object.values(counterSources).map((content) => ({ content }))),
      );

      const again = await project.verify(address, 7);
      expect(again).toEqual({ code: 0, output: expect.stringMatching(/already (been )?verified/) });
    });

    test("and shows the explorer's reason for a refusal", async () => {
      const address = await deployed(8);
      const run = await project.verify(address, 9);
      expect(run).toEqual({
        code: 1,
        output: expect.stringContaining(
          `Constructor arguments differ: 0x${"0".repeat(63)}8 on chain`,
        ),
      });
    });

    const sourcify = {
      forge: "forge with Sourcify's API",
      "hardhat-3": "Hardhat 3 with Sourcify's API",
    };
    if (name === "hardhat-2") return;
    test("a contract through Sourcify's API, with the constructor arguments on chain", async () => {
      const address = await deployed(7);
      const more = name === "forge" ? ["--compiler-version", "0.8.28+commit.7893614a"] : [];
      const run = await project.documented(sourcify[name], address, more);
      expect(run).toEqual({ code: 0, output: expect.stringMatching(/successfully/i) });
      expect(await client.contracts.code(address)).toMatchObject({
        constructor_arguments: `${"0".repeat(63)}7`,
        verify_level: "exact",
      });
    });

    // Hardhat compares a source by itself before it submits it.
    if (name !== "forge") return;
    test("a contract whose constructor arguments it guesses", async () => {
      const address = await deployed(11);
      const run = await project.documented("forge", address, [
        ...["--guess-constructor-args", "--rpc-url", node.url],
        ...["--compiler-version", "0.8.28+commit.7893614a"],
      ]);
      expect(run).toEqual({ code: 0, output: expect.stringContaining(successes.forge) });
      expect(await client.contracts.code(address)).toMatchObject({
        constructor_arguments: `${"0".repeat(63)}b`,
      });
    });

    test("by `mrc-explorer verify` what plain forge builds, also what it linked", async () => {
      project.write("src/Scores.sol", scores);
      const at = { rpc: node.url, explorer: served.url };
      const library = await project.deployed(forgeCreate("src/Scores.sol:Points", at));
      const linking = ["--libraries", `src/Scores.sol:Points:${library}`];
      const scored = await project.deployed(
        forgeCreate("src/Scores.sol:Scores", at, ...linking, "--constructor-args", "3"),
      );
      await followed(scored);
      const words = ["verify", "--foundry", project.folder, "--url", served.url];
      const { code, out, err } = await runCli(
        [...words, "--address", library, "--address", scored],
        { env: { ...project.env, EXPLORER_API_KEY: "any" } },
      );
      expect(JSON.parse(out).data).toMatchObject([
        { contract: "src/Scores.sol:Points", result: "verified", reason: "exact" },
        { contract: "src/Scores.sol:Scores", result: "verified", reason: "exact" },
      ]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(await client.contracts.code(scored)).toMatchObject({
        constructor_arguments: `${"0".repeat(63)}3`,
        libraries: JSON.stringify([{ name: "Points", address: library }]),
      });
    });

    test("the bytecode of a verified contract", async () => {
      const address = await deployed(7);
      await project.verify(address, 7);
      const compared = await project.documented("forge comparing bytecode", address, [
        ...["--constructor-args", "7"],
      ]);
      expect(compared).toEqual({
        code: 0,
        output: expect.stringMatching(/Creation code matched[\s\S]*Runtime code matched/),
      });
    });

    test.skipIf(!castInstalled).each([
      ["the creation code", (input: string) => `${input}\n`],
      ["the constructor arguments", () => `0x${"0".repeat(63)}7 → Uint(7, 256)\n`],
      [
        "an artifact to deploy again",
        // Without the arguments.
        (input: string) =>
          expect.stringMatching(`"name": "increment"[^]*"object": "${input.slice(0, -64)}"`),
      ],
    ] as const)("%s, as cast asks for it", async (what, expected) => {
      const address = await deployed(7);
      await project.verify(address, 7);
      project.addExplorer();
      const [transaction] = served.explorer.chain.transactions(address, "contract", {}).slice(0, 1);
      expect(await project.documented(`cast: ${what}`, address)).toEqual({
        code: 0,
        output: expected(String(transaction?.input)),
      });
    });
  });
});
