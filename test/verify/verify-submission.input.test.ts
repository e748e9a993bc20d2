// Submissions of a standard JSON input: several files, and settings that C3 has no field for.
import { afterAll, describe, expect, test } from "vitest";
import type { Hex } from "../../mocks/chain/records.ts";
import type { InputSubmission } from "../../mocks/operations/verifier.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { compile, onChain } from "./support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const head = "// SPDX-License-Identifier: MIT\npragma solidity >=0.6.0;\n";

interface Input {
  readonly sources: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const inputOf = ({ sources, settings }: Input) => ({
  language: "Solidity",
  sources: Object.fromEntries(
    Object.entries(sources).map(([file, text]) => [file, { content: head + text }]),
  ),
  settings: { optimizer: { enabled: true, runs: 777 }, ...settings },
});

/** Puts a contract on a chain as its deployer compiled it. `library` is the address to link. */
function deployed(contract: string, input: Input, library = "") {
  const [file = "", name = ""] = contract.split(":");
  const { sources, settings } = inputOf(input);
  const texts = Object.entries(sources).map(([path, { content }]) => [path, content] as const);
  const more = Object.fromEntries(texts);
  const code = compile({
    ...{ version: "0.8.28", name, file, source: more[file] ?? "", more, settings },
  });
  const link = (hex: Hex): Hex => `0x${hex.slice(2).replaceAll(/__\$\w{34}\$__/g, library)}`;
  return onChain(link(code.runtime), link(code.creation));
}

const submission = (name: string, input: Input, compiler = "0.8.28"): InputSubmission => ({
  contract_name: name,
  compiler,
  standard_input: JSON.stringify(inputOf(input)),
  constructor_arguments: "",
});

const sources = {
  "src/Base.sol": "contract Base { uint public x = 5; }",
  "src/Made.sol": "contract Made { uint public y = 6; }",
  "src/Maker.sol": `import "./Base.sol"; import "./Made.sol";
contract Maker is Base { function make() public returns (address) { return address(new Made()); } }`,
};

describe("a source in several files", () => {
  const maker = "src/Maker.sol:Maker";

  test("is verified exactly, and recorded with its files and settings", async () => {
    const input = { sources };
    const verdict = await verifier.verify(submission(maker, input), deployed(maker, input));
    expect(verdict).toMatchObject({
      verified: true,
      contract: { contractName: "Maker", runs: 777, optimizationEnabled: true, level: "exact" },
    });
    const recorded = verdict.verified ? JSON.parse(verdict.contract.source) : {};
    const { language, sources: files, settings } = inputOf(input);
    expect(recorded).toMatchObject({ language, sources: files });
    expect(recorded.settings.optimizer).toEqual(settings.optimizer);
    const source = JSON.stringify(recorded);
    const same = { verified: true, contract: { level: "exact", source } };
    const chain = deployed(maker, input);
    // The plain input, the input as Etherscan returns it, and with a byte order mark.
    for (const standard_input of [source, `{${source}}`, `\uFEFF${source}\n`])
      expect(
        await verifier.verify({ ...submission(maker, input), standard_input }, chain),
      ).toMatchObject(same);
    const asC2HasIt = {
      ...{ contract_name: "Maker", compiler: "0.8.28+commit.7893614a.Linux.g++" },
      ...{ constructor_arguments: "", optimization_enabled: 1, runs_optimizer: 777 },
      contract_source: Buffer.from(`\uFEFF${source}`).toString("base64"),
    };
    expect(await verifier.verify(asC2HasIt, chain)).toMatchObject(same);
  });

  test("is verified in part if a comment differs in any file", async () => {
    for (const file of Object.keys(sources) as (keyof typeof sources)[]) {
      const other = { sources: { ...sources, [file]: `// ${file}\n${sources[file]}` } };
      const chain = deployed(maker, { sources });
      expect(await verifier.verify(submission(maker, other), chain)).toMatchObject({
        verified: true,
        contract: { level: "partial", uncovered: ["metadata hash", "ABI"] },
      });
    }
  });

  test("that does not compile is refused with the file and the line", async () => {
    const broken = {
      sources: { ...sources, "src/Base.sol": "contract Base {\n uint public x = ; }" },
    };
    const verdict = await verifier.verify(submission(maker, broken), deployed(maker, { sources }));
    expect(verdict.message).toMatch(
      /^The source does not compile: ParserError in line 4 of src\/Base\.sol: /,
    );
  });
});

test.each<[string, Record<string, unknown>]>([
  ["remappings", { remappings: ["lib/=vendor/lib/"] }],
  ["details of the optimizer", { optimizer: { enabled: true, runs: 9, details: { yul: false } } }],
  ["no runs of the optimizer", { optimizer: { enabled: true, runs: 0 } }],
  ["the usual runs of the optimizer", { optimizer: { enabled: true } }],
  ["the EVM version", { evmVersion: "london" }],
  ["stripped reasons", { debug: { revertStrings: "strip" } }],
  ["literal sources in the metadata", { metadata: { useLiteralContent: true } }],
  ["the newer pipeline", { viaIR: true }],
])("%s of the settings count", async (_, more) => {
  const settings = { remappings: ["lib/=vendor/lib/"], ...more };
  const input = {
    sources: {
      "vendor/lib/Math.sol":
        "library Math { function half(uint a) internal pure returns (uint) { require(a > 1, 'small'); return a / 2; } }",
      "src/User.sol": `import "lib/Math.sol"; contract User { function f(uint a) public pure returns (uint) { return Math.half(a); } }`,
    },
    settings,
  };
  const name = "src/User.sol:User";
  expect(await verifier.verify(submission(name, input), deployed(name, input))).toMatchObject({
    verified: true,
    contract: { level: "exact" },
  });
});

describe("libraries of the settings", () => {
  const name = "src/User.sol:User";
  const linked = {
    "src/Sums.sol":
      "library Sums { function add(uint a) public pure returns (uint) { return a + 1; } }",
    "src/User.sol": `import "./Sums.sol"; contract User { function f(uint a) public pure returns (uint) { return Sums.add(a); } }`,
  };
  const address = "ab".repeat(20);
  const settings = { libraries: { "src/Sums.sol": { Sums: `0x${address}` } } };

  test("are linked, by the deployer or by the compiler, whose metadata names them", async () => {
    const submitted = submission(name, { sources: linked, settings });
    for (const chain of [
      deployed(name, { sources: linked }, address),
      deployed(name, { sources: linked, settings }),
    ])
      expect(await verifier.verify(submitted, chain)).toMatchObject({
        verified: true,
        contract: { level: "exact", libraries: [{ name: "Sums", address: `0x${address}` }] },
      });
  });
});

const solidity = (rest: object) =>
  JSON.stringify({ language: "Solidity", sources: { "A.sol": { content: "" } }, ...rest });
const fetched = { "A.sol": { urls: ["ipfs://Qm"] } };
const others = { "B.sol": { content: "" }, "C.sol": { content: "" } };
const large = { "A.sol": { content: " ".repeat(2 ** 20) } };
const short = { libraries: { "A.sol": { L: "0x12" } } };
const nested = `{"optimizer":{"details":{"yul":${"[".repeat(9e4)}${"]".repeat(9e4)}}}}`;

test.each<[string, string, string]>([
  ["no JSON", "contract A {}", "The standard JSON input is not JSON"],
  ["no object", "[]", "The standard JSON input: is an array of 0: expected an object"],
  ["another language", solidity({ language: "Yul" }), 'language is "Yul": expected "Solidity"'],
  [
    "sources to be fetched",
    solidity({ sources: fetched }),
    "sources.A.sol.content is nothing: exp",
  ],
  ["half an address", solidity({ settings: short }), 'settings.libraries.A.sol.L is "0x12": exp'],
  [
    ...(["endless nesting", `{"language":"Solidity","sources":{},"settings":${nested}}`] as const),
    "settings.optimizer.details.yul is another value: expected true, false",
  ],
  [
    ...(["a file that is not there", solidity({ sources: others })] as const),
    '"A.sol:A" names no file of the standard JSON input: expected "file:contract", where the file is one of B.sol, C.sol',
  ],
  ["too much", solidity({ sources: large }), "bytes; at most 1048576 are compiled"],
])("%s is refused", async (_, standard_input, message) => {
  const submitted = { contract_name: "A.sol:A", compiler: "0.8.28", standard_input };
  const verdict = await verifier.verify(
    { ...submitted, constructor_arguments: "" },
    onChain("0x6001"),
  );
  expect(verdict).toMatchObject({ verified: false, message: expect.stringContaining(message) });
});

test.each(["constructor:A", "__proto__:A"])(
  "the file of %s is not found in JavaScript",
  async (name) => {
    const input = { sources: { "A.sol": "contract A {}" } };
    const verdict = await verifier.verify(submission(name, input), deployed("A.sol:A", input));
    expect(verdict).toMatchObject({
      verified: false,
      message: expect.stringContaining("names no file of the standard JSON input"),
    });
  },
);
