// Hostile submissions are refused or stopped, and the next submission is not affected.
import { afterAll, describe, expect, test } from "vitest";
import type { Submission, Verdict } from "../../mocks/operations/verifier.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { base64, compile, endless, onChain, submit, type Wanted } from "./support.ts";

const honest: Wanted = { version: "0.8.28", name: "A", source: "contract A {}" };
const chain = (() => {
  const { creation, runtime } = compile(honest);
  return onChain(runtime, creation);
})();

describe("a verifier with usual limits", () => {
  const verifier = createVerifier({ timeout: 300_000 });
  afterAll(() => verifier.close());
  const refusal = async (changed: Partial<Submission>) => {
    const verdict = await verifier.verify(submit(honest, changed), chain);
    expect(verdict.verified).toBe(false);
    expect((await verifier.verify(submit(honest), chain)).verified).toBe(true);
    return verdict.message;
  };

  test.each(["/etc/passwd", "./package.json", "https://example.org/a.sol", "solc/package.json"])(
    "a source that imports %s gets no file",
    async (file) => {
      const message = await refusal({ contract_source: base64(`import "${file}"; contract A {}`) });
      expect(message).toMatch(
        /^The source does not compile: ParserError in line 1: Source ".*" not found/,
      );
    },
  );

  test.each(["../etc/passwd", "v0.8.28/../../../tmp/soljson.js", "0.8.28\0", ""])(
    "the compiler %j is not at hand; those that are, are listed",
    async (compiler) => {
      expect(await refusal({ compiler })).toMatch(
        /^No compiler ".*"; (?:.*; )?available: v0\.4\.24.*, v0\.5\.17.*, v0\.8\.20.*, v0\.8\.28.*, v0\.8\.37/,
      );
    },
  );

  test.each<[string, Partial<Submission>, string]>([
    ["no base64", { contract_source: "contract A {}" }, "contract_source is not base64"],
    ["an empty source", { contract_source: "" }, "contract_source is empty"],
    ["no text", { contract_source: "gIGC" }, "contract_source is not UTF-8 text"],
    [
      "too much",
      { contract_source: base64(" ".repeat(2 ** 20 + 1)) },
      "at most 1048576 are compiled",
    ],
    ["a path for a name", { contract_name: "../A" }, 'contract_name is "../A"'],
    [
      "a name of the language",
      { contract_name: "__proto__" },
      "has no contract __proto__; it has A",
    ],
    ["half a byte", { constructor_arguments: "0xabc" }, "constructor_arguments is not hexadecimal"],
    [
      "an optimizer that is neither on nor off",
      { optimization_enabled: 2 },
      "optimization_enabled is 2: expected 1 (on) or 0 (off)",
    ],
    ["runs below zero", { runs_optimizer: -1 }, "runs_optimizer is -1"],
    ["an EVM of the future", { evm_version: "nowhere" }, "Invalid EVM version requested"],
    ["a path for an EVM", { evm_version: "../x" }, 'evm_version is "../x"'],
    ["half an address", { libraries: [{ name: "L", address: "0x12" }] }, 'library "L" is "0x12"'],
  ])("%s is refused", async (_, changed, message) => {
    expect(await refusal(changed)).toContain(message);
  });

  test.each([
    ["parentheses", `contract A { uint x = ${"(".repeat(200_000)}1; }`, "recursion depth"],
    [
      "constants of constants",
      `contract A { uint constant c0 = 1; ${Array.from({ length: 60 }, (_, i) => `uint constant c${i + 1} = c${i} + c${i};`).join(" ")} uint[c60] x; }`,
      "recursion depth",
    ],
    [
      "numbers beyond measure",
      "contract A { uint constant x = 2 ** (2 ** (2 ** 100)); }",
      "TypeError",
    ],
    [
      "a hundred thousand errors",
      `contract A { ${"uint x;".repeat(100_000)} }`,
      "already declared",
    ],
  ])("%s end the compilation, not the compiler", async (_, source, message) => {
    expect(await refusal({ contract_source: base64(source) })).toContain(message);
  });
});

test.each(["0.5.17", "0.8.20", "0.8.37"])("%s does not run the model checker", async (version) => {
  // Without the checker, this compiles in milliseconds; with it, not within a minute.
  const source = `pragma experimental SMTChecker; contract A { uint x; mapping(uint => uint) m;
function f(uint a, uint b, uint c) public { require(a > 0 && b > 0 && c > 0);
for (uint i = 0; i < a; i++) { x = x * a + b * c; m[x] = m[x - 1] * 3; } assert(x * x * x + a * a * a != b * b * b * c); }
function g(uint a) public { x = a * x / 3; assert(m[a] * m[x] != 77); } }`;
  const verifier = createVerifier({ timeout: 60_000 });
  const verdict = await verifier.verify(submit({ ...honest, version, source }), onChain("0x6001"));
  expect(verdict.message).toMatch(/^Runtime code differs/);
  await verifier.close();
});

describe("a verifier with narrow limits", () => {
  test("stops what takes too long, and continues with another worker", async () => {
    const verifier = createVerifier({ timeout: 3_000 });
    const verdict = await verifier.verify(submit({ ...honest, source: endless }), chain);
    expect(verdict).toEqual({
      verified: null,
      cause: "stopped",
      retryAfter: 60,
      message: "Compiling took more than 3000 ms of CPU time and was stopped",
    });
    expect((await verifier.verify(submit(honest), chain)).verified).toBe(true);
    await verifier.close();
  });

  test.each(["0.4.24", "0.8.28"])("stops %s when it takes too much memory", async (version) => {
    const verifier = createVerifier({ memory: 48, timeout: 300_000 });
    const greedy = { ...honest, version, source: endless };
    const { message } = await verifier.verify(submit(greedy), chain);
    expect(message).toMatch(/more than 48 MiB/);
    expect((await verifier.verify(submit(honest), chain)).verified).toBe(true);
    await verifier.close();
  });

  test("closed at the end of a block, it gives no verdict on pending and later submissions", async () => {
    const verdicts: Promise<Verdict>[] = [];
    const closed = await (async () => {
      await using verifier = createVerifier();
      verdicts.push(verifier.verify(submit({ ...honest, source: endless }), chain));
      verdicts.push(verifier.verify(submit(honest), chain));
      return verifier;
    })();
    verdicts.push(closed.verify(submit(honest), chain));
    for (const verdict of await Promise.all(verdicts))
      expect(verdict).toEqual({
        verified: null,
        cause: "stopped",
        retryAfter: 60,
        message: expect.stringMatching(/^The verifier (is|was) closed$/),
      });
  });
});
