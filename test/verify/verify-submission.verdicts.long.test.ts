// What a verdict records of a source, and how it chooses the pipeline.
import { afterAll, describe, expect, test } from "vitest";
import type { Hex } from "../../mocks/chain/records.ts";
import { metadataAddress } from "../../mocks/ingest/metadata.ts";
import type { OnChainContract, Submission } from "../../mocks/operations/verifier.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { ADDRESS, compile, onChain, submit, type Wanted } from "./support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const version = "0.8.28";
const wanted = (source: string, name = "A"): Wanted => ({
  ...{ version, source, name, file: `${name}.sol` },
});

async function judge(given: Wanted, chain: OnChainContract, changed: Partial<Submission> = {}) {
  const verdict = await verifier.verify(submit(given, changed), chain);
  return verdict.verified ? verdict.contract : verdict;
}
const deployed = (given: Wanted, more: Partial<OnChainContract> = {}) => {
  const code = compile(given);
  return { ...onChain(code.runtime, code.creation), ...more };
};

const simple = wanted("contract A { uint public x; function set(uint y) public { x = y; } }");

describe("a source that only the newer pipeline compiles", () => {
  const names = Array.from({ length: 17 }, (_, at) => `v${at}`);
  const deep = wanted(`contract A { function f(uint a) public pure returns (uint) {
${names.map((name, at) => `uint ${name} = a * ${at + 3} + a;`).join(" ")} return ${names.join(" * ")}; } }
contract B { constructor() { assembly { mstore(0, 0x60016002) return(28, 4) } } }`);
  const viaIR = { ...deep, settings: { viaIR: true } };

  test("is verified by it, and the reason is its difference", async () => {
    expect(await judge(viaIR, deployed(viaIR))).toMatchObject({ level: "exact", viaIR: true });
    // The code does not show its pipeline, so the older one is tried first.
    const message = Object(await judge(deep, onChain("0x60016002"))).message;
    expect(message).toMatch(/Runtime code differs/);
    expect(message).not.toMatch(/too deep/i);
  });

  test("is refused as a source that does not compile if the code shows the older one", async () => {
    const older = await judge(deep, deployed(simple)).catch(({ message }) => ({ message }));
    expect(older).toMatchObject({ message: expect.stringMatching(/too deep/i) });
  });
});

describe("what is recorded", () => {
  test("of one file is its text, with the compiler's settings", async () => {
    const code = compile(simple);
    expect(await judge(simple, deployed(simple))).toMatchObject({
      address: ADDRESS,
      compiler: "v0.8.28+commit.7893614a",
      contractName: "A",
      libraries: [],
      source: simple.source,
      optimizationEnabled: true,
      runs: 200,
      evmVersion: "cancun",
      viaIR: false,
      code: code.runtime,
      constructorArguments: "",
      swarmSource: metadataAddress(code.runtime),
      compiled: {
        files: new Map([[0, { name: "A.sol", text: simple.source }]]),
        storage: { storage: expect.any(Array) },
      },
    });
    const other: Wanted = { ...simple, optimizer: false, runs: 7, settings: { viaIR: true } };
    const chain = deployed({ ...other, settings: { viaIR: true, evmVersion: "paris" } });
    expect(await judge(other, chain, { evm_version: "paris" })).toMatchObject({
      ...{ optimizationEnabled: false, runs: 7, evmVersion: "paris", viaIR: true },
    });
  });

  test("are the libraries that the contract is linked with", async () => {
    const sums =
      "library Sums { function add(uint a) public pure returns (uint) { return a + 1; } }";
    const user = wanted(
      `${sums} contract A { function f(uint a) public pure returns (uint) { return Sums.add(a); } }`,
    );
    const Sums = `0x${"5a".repeat(20)}` as const;
    const linked = { ...user, libraries: { Sums } };
    const more = { name: "Audit", address: ADDRESS };
    const recorded = await judge(linked, deployed(linked), {
      libraries: [{ name: "A.sol:Sums", address: Sums }, more],
    });
    expect(recorded).toMatchObject({ libraries: [{ name: "Sums", address: Sums }] });
    // A tool may link after the compiler, whose metadata then names no library.
    const { runtime } = compile(user);
    const late: Hex = `0x${runtime.slice(2).replaceAll(/__\$\w{34}\$__/g, Sums.slice(2))}`;
    for (const chain of [deployed(linked), onChain(late)])
      expect(await judge(linked, chain)).toMatchObject({ level: "exact" });
  });
});
