// Submissions and chains that try to get a wrong source recorded, or more claimed than is proven.
import { afterAll, describe, expect, test } from "vitest";
import type { Hex } from "../../../mocks/chain/records.ts";
import { lastMetadata } from "../../../mocks/ingest/metadata.ts";
import type { InputSubmission } from "../../../mocks/operations/verifier.ts";
import {
  ADDRESS,
  bytesOf,
  compile,
  compilers,
  createVerifierOfAll,
  hasOldCompilers,
  hexOf,
  onChain,
  submit,
  type Wanted,
  withDigest,
} from "../support.ts";

const hasOld = hasOldCompilers();
const verifier = createVerifierOfAll({ timeout: 300_000 });
afterAll(() => verifier.close());

describe.skipIf(!hasOld).each(compilers)("%s: code in the metadata", (version) => {
  const closed = "pragma solidity >=0.5.0; contract A { uint public x;";
  // Jumps to any position that its caller chooses.
  const open = `${closed} function run(uint at) public { function () internal f; assembly { f := at } f(); } }`;
  const grow = version < "0.6" ? "all.length++" : "all.push()";
  // A huge array overwrites the function variable, without any assembly.
  const covered = `pragma solidity >=0.5.0; contract A { function () internal kept; uint[2**255][] all;
    function set(uint i, uint j, uint v) public { ${grow}; all[i][j] = v; }
    function arm() public { kept = arm; } function run() public { kept(); } }`;
  const unnamed = version < "0.6" ? "function ()" : "receive ()";
  // JUMPDEST CALLER SELFDESTRUCT among bytes that push nothing.
  const trap = Buffer.alloc(32, 0x01).fill(Buffer.from("5b33ff", "hex"), 10, 13);

  test.each([
    ["assembly that jumps", open, trap, true],
    ["assembly, and bytes without a jump target", open, Buffer.alloc(32, 0x01), false],
    ["no assembly", `${closed} function set(uint y) public { x = y; } }`, trap, false],
    ["a function variable", covered, trap, true],
    [
      "a function variable and a comment",
      covered.replace("function ()", "function/**/()"),
      trap,
      true,
    ],
    ["a fallback function", `${closed} ${unnamed} external payable { x = 1; } }`, trap, false],
  ])("with %s", async (_, source, digest, isNamed) => {
    const wanted: Wanted = { version, source, name: "A" };
    const { runtime, creation } = compile({ ...wanted, file: "A.sol" });
    const chain = onChain(withDigest(runtime, digest), withDigest(creation, digest));
    const named = isNamed ? ["code that can be reached in the metadata"] : [];
    expect(await verifier.verify(submit(wanted), chain)).toMatchObject({
      verified: true,
      contract: { level: "partial", uncovered: ["metadata hash", "ABI", ...named] },
    });
  });

  test("of an embedded contract is named, too", async () => {
    const source = `${open} contract Factory { function make() public returns (A) { return new A(); }
      function run(uint at) public { function () internal f; assembly { f := at } f(); } }`;
    const wanted: Wanted = { version, source, name: "Factory", file: "Factory.sol" };
    const { creation, runtime } = compile(wanted);
    const inner = compile({ ...wanted, name: "A" }).runtime;
    const { hash } = lastMetadata(bytesOf(inner)) ?? {};
    const place = (code: Hex) => bytesOf(code).indexOf(hash ?? "none") + (hash?.length ?? 0) - 32;
    const set = (code: Hex) => {
      const bytes = bytesOf(code);
      bytes.set(trap, place(code));
      return hexOf(bytes);
    };
    const verdict = await verifier.verify(submit(wanted), onChain(set(runtime), set(creation)));
    expect(verdict).toMatchObject({
      verified: true,
      contract: {
        level: "partial",
        uncovered: expect.arrayContaining(["code that can be reached in the metadata"]),
      },
    });
  });
});

test.each(["0.8.20", "0.8.28", "0.8.37"])(
  "%s: a program that ends in forged metadata is no exact match",
  async (version) => {
    // A hash of 13 bytes, which no compiler writes, and one of 34 that no source has.
    for (const length of [13, 34]) {
      const hash = Buffer.alloc(length, 0x5a);
      const map = Buffer.concat([
        Buffer.from("a26469706673", "hex"),
        length < 24 ? Buffer.of(0x40 + length) : Buffer.of(0x58, length),
        hash,
        Buffer.from("64736f6c6343000814", "hex"),
      ]);
      const forged = Buffer.concat([Buffer.alloc(200, 1), map, Buffer.of(0, map.length)]);
      const source = (comment: string) =>
        `// ${comment}\ncontract Forged { function f() public pure returns (bytes memory) { return hex"${forged.toString("hex")}"; } }`;
      const wanted = (comment: string): Wanted => ({
        version,
        source: source(comment),
        name: "Forged",
        settings: { metadata: { appendCBOR: false, bytecodeHash: "none" } },
      });
      const { creation, runtime } = compile(wanted("as deployed"));
      const verdict = await verifier.verify(submit(wanted("other")), onChain(runtime, creation));
      if (verdict.verified) expect(verdict.contract.level).toBe("partial");
      else expect(verdict.verified).toBe(false);
    }
  },
);

describe("a standard JSON input", () => {
  const submission = (extra: object, settings: object = {}): InputSubmission => ({
    contract_name: "src/Vault.sol:Vault",
    compiler: "0.8.28",
    constructor_arguments: "",
    standard_input: JSON.stringify({
      language: "Solidity",
      sources: {
        "src/Base.sol": { content: "contract Base { uint public x; }" },
        "src/Vault.sol": {
          content:
            'import "./Base.sol"; contract Vault is Base { function set(uint y) public { x = y; } }',
        },
        ...extra,
      },
      settings: { optimizer: { enabled: true, runs: 200 }, ...settings },
    }),
  });
  const files = (input: InputSubmission): Record<string, { content: string }> =>
    JSON.parse(input.standard_input).sources;
  const { "src/Vault.sol": vault, ...more } = files(submission({}));
  const { creation, runtime } = compile({
    ...{ version: "0.8.28", name: "Vault", file: "src/Vault.sol", source: `${vault?.content}` },
    more: Object.fromEntries(Object.entries(more).map(([path, { content }]) => [path, content])),
  });
  const chain = onChain(runtime, creation);

  test.each([
    ["a file that no other reads", { "AUDITED.md.sol": { content: "// AUDITED, no owner\n" } }, {}],
    ["via IR, which was not used", {}, { viaIR: true }],
    [
      "settings of no compiler",
      {},
      { audited: "by us", optimizer: { enabled: true, runs: 200, owner: "none" } },
    ],
    ["remappings that change nothing", {}, { libraries: { "src/Base.sol": { None: ADDRESS } } }],
  ])("is recorded without %s", async (_, extra, settings) => {
    const verdict = await verifier.verify(submission(extra, settings), chain);
    expect(verdict).toMatchObject({
      verified: true,
      contract: { viaIR: false, evmVersion: "cancun" },
    });
    const recorded = verdict.verified ? verdict.contract.source : "{}";
    expect(Object.keys(JSON.parse(recorded).sources)).toEqual(Object.keys(files(submission({}))));
    expect(recorded).not.toMatch(/AUDITED|audited|owner|None|viaIR/);
  });

  test("names the contract without its file where only one has it", async () => {
    const named = { ...submission({}), contract_name: "Vault" };
    expect(await verifier.verify(named, chain)).toMatchObject({
      verified: true,
      contract: { level: "exact", contractName: "Vault" },
    });
    const twice = submission({ "src/Other.sol": { content: "contract Vault { uint public z; }" } });
    const { message } = await verifier.verify({ ...twice, contract_name: "Vault" }, chain);
    expect(message).toBe(
      "2 files have a contract Vault: name one as src/Other.sol:Vault or src/Vault.sol:Vault",
    );
  });
});
