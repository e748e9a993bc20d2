// Files that somebody drops to verify a contract, and what the chain says of its compiler and its constructor's arguments.
import { describe, expect, test } from "vitest";
import {
  compilerIn,
  compilerInputOf,
  contractsIn,
  projectOf,
} from "../../../mocks/page/code/project.ts";
import { compile } from "../../verify/support.ts";

describe("dropped files", () => {
  const base = { name: "src/Base.sol", text: "abstract contract Base { }" };
  const till = {
    name: "src/Till.sol",
    text: 'import "./Base.sol";\n// contract Not {\ncontract Till is Base, Other(7) {}',
  };

  test("are sources with their contracts, those that others build on last", () => {
    const project = projectOf([base, till, { name: "package.json", text: "{}" }]);
    expect(project.contracts).toEqual(["src/Till.sol:Till", "src/Base.sol:Base"]);
    expect(project.likely).toBe("src/Till.sol:Till");
    const shop = { name: "src/Shop.sol", text: "library Math {}\ncontract Shop {}" };
    expect(projectOf([base, till, shop]).likely).toBeUndefined();
    expect(project.input).toBeUndefined();
    expect(compilerInputOf(project.sources, { optimizer: { enabled: true } })).toEqual({
      language: "Solidity",
      sources: { "src/Base.sol": { content: base.text }, "src/Till.sol": { content: till.text } },
      settings: { optimizer: { enabled: true } },
    });
  });

  test("are a compiler's input, or the build-info of a tool with its compiler", () => {
    const input = compilerInputOf({ "a.sol": till.text }, {});
    const standard = projectOf([{ name: "input.json", text: JSON.stringify(input) }]);
    expect(standard).toMatchObject({ input, compiler: undefined, contracts: ["a.sol:Till"] });
    const build = { solcLongVersion: "0.8.28+commit.7893614a", input };
    expect(projectOf([{ name: "b.json", text: JSON.stringify(build) }])).toEqual({
      ...standard,
      compiler: "v0.8.28+commit.7893614a",
    });
  });

  test.each([[[]], [[{ name: "x.json", text: "{" }]], [[{ name: "x.sol", text: "// none" }]]])(
    "that are no project say what was expected",
    (files) => {
      expect(() => projectOf(files)).toThrow("expected .sol files with a contract");
    },
  );

  test("are read in one pass, however hostile", () => {
    const text = `${"contract A ".repeat(100_000)}\n${"\ncontract B is ".repeat(100_000)}`;
    expect(contractsIn({ "a.sol": text }).contracts).toEqual([]);
  });
});

test("code names its compiler", () => {
  const { runtime } = compile({ version: "0.8.20", source: "contract Till { }", name: "Till" });
  expect(compilerIn(runtime)).toBe("0.8.20");
  expect(compilerIn("0x6000")).toBeUndefined();
});
