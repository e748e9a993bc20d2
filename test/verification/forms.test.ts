// Forms of code that the specification's fields do not name: read from the chain, and never a reason to refuse a true source.
import { afterAll, describe, expect, test, vi } from "vitest";
import { createVerifier } from "../../mocks/verification/verifier.ts";
import { compile, onChain, submit, type Wanted } from "./support.ts";

vi.setConfig({ testTimeout: 300_000 });

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const vault = (comment = "") => `// SPDX-License-Identifier: MIT${comment}
pragma solidity >=0.4.24;
contract Coin { uint public total; function mint(uint n) public returns (uint) { total += n; return total; } }
contract Vault { Coin public coin; mapping(address => uint) public held;
function open() public { coin = new Coin(); }
function put(uint n) public returns (uint) { held[msg.sender] += n; return coin.mint(n); } }`;

const deployed = (wanted: Wanted) => {
  const { creation, runtime } = compile(wanted);
  return onChain(runtime, creation);
};

/** The verdict on the source as deployed, and with another comment. */
async function verdicts(wanted: Wanted) {
  const chain = deployed({ ...wanted, file: `${wanted.name}.sol` });
  const commented = { ...wanted, source: `${wanted.source}// other` };
  return Promise.all([wanted, commented].map((it) => verifier.verify(submit(it), chain)));
}

const level = (level: "exact" | "partial") => ({
  verified: true,
  contract: { level, uncovered: level === "exact" ? [] : ["metadata hash"] },
});

test.each(["0.4.24", "0.5.17"])(
  "%s: a contract whose base creates another is compiled, though the compiler forgets that one if only the first is selected",
  async (version) => {
    const source = `contract A{uint x;} contract B{function q() public view returns(bool);function f() public{new A();}}
contract C is B{function q() public view returns(bool){return true;}}`;
    const [same, commented] = await verdicts({ version, source, name: "C" });
    expect(same).toMatchObject(level("exact"));
    expect(commented).toMatchObject(level("partial"));
  },
);

describe("metadata", () => {
  test.each([
    ["0.6.12", { bytecodeHash: "bzzr1" }],
    ["0.8.28", { bytecodeHash: "bzzr1" }],
  ])("%s with %j is compiled so", async (version, metadata) => {
    const settings = { metadata };
    const [same, commented] = await verdicts({ version, source: vault(), name: "Vault", settings });
    expect(same).toMatchObject(level("exact"));
    expect(commented).toMatchObject(level("partial"));
  });

  test.each([
    ["0.6.12", { bytecodeHash: "none" }],
    ["0.8.28", { bytecodeHash: "none" }],
    ["0.8.37", { appendCBOR: false, bytecodeHash: "none" }],
  ])("%s with %j is compiled so; nothing is exact without a hash", async (version, metadata) => {
    const settings = { metadata };
    for (const verdict of await verdicts({ version, source: vault(), name: "Vault", settings })) {
      expect(verdict).toMatchObject(level("partial"));
      expect(verdict.message).toMatch(/; the code has no metadata hash$/);
    }
  });

  test("cut off from the code of a compiler that always appends it is not missed", async () => {
    const wanted = { version: "0.5.17", source: vault(), name: "Vault" };
    const { runtime } = compile(wanted);
    const length = 2 * (Number.parseInt(runtime.slice(-4), 16) + 2);
    const chain = onChain(runtime.slice(0, -length) as `0x${string}`);
    expect(await verifier.verify(submit(wanted), chain)).toMatchObject({
      verified: true,
      contract: { level: "partial", uncovered: ["metadata hash", "creation code"] },
    });
    const other = { ...wanted, source: vault().replace("+= n", "+= n + 1") };
    expect((await verifier.verify(submit(other), chain)).verified).toBe(false);
  });
});

describe("the pipeline via the intermediate representation is found in the code", () => {
  test.each([
    ["0.8.20", true],
    ["0.8.28", false],
    ["0.8.37", true],
  ])("%s, optimizer %s", async (version, optimizer) => {
    const wanted = { version, source: vault(), name: "Vault", optimizer };
    const [same, commented] = await verdicts({ ...wanted, settings: { viaIR: true } });
    expect(same).toMatchObject(level("exact"));
    expect(commented).toMatchObject(level("partial"));
  });

  test("also where the code has no dispatcher, or the other pipeline cannot compile it", async () => {
    const version = "0.8.28";
    const forward = `contract F { address to; fallback() external payable { (bool ok,) = to.call{value: msg.value}(msg.data); require(ok); } }`;
    const names = Array.from({ length: 20 }, (_, i) => `a${i}`);
    const deep = `contract D { function f(${names.map((name) => `uint ${name}`).join(", ")}) public pure returns (uint) { return ${names.join(" + ")}; } }`;
    for (const [name, source] of [
      ["F", forward],
      ["D", deep],
    ] as const) {
      const [same] = await verdicts({ version, source, name, settings: { viaIR: true } });
      expect(same).toMatchObject(level("exact"));
    }
  });

  test("the other pipeline's code of another source is refused", async () => {
    const wanted = { version: "0.8.28", source: vault(), name: "Vault", settings: { viaIR: true } };
    const chain = deployed(wanted);
    const other = { ...wanted, source: vault().replace("+= n", "+= n + 1") };
    expect((await verifier.verify(submit(other), chain)).verified).toBe(false);
  });
});

test("the file's name may stand before the contract's: with the right one the match is exact", async () => {
  const wanted = { version: "0.8.28", source: vault(), name: "Vault", file: "src/Bank.sol" };
  const chain = deployed(wanted);
  const plain = await verifier.verify(submit(wanted), chain);
  expect(plain).toMatchObject(level("partial"));
  const named = submit(wanted, { contract_name: "src/Bank.sol:Vault" });
  expect(await verifier.verify(named, chain)).toMatchObject({
    verified: true,
    contract: { level: "exact", contractName: "Vault" },
  });
  const unknown = submit(wanted, { contract_name: "src/Bank.sol:Safe" });
  expect((await verifier.verify(unknown, chain)).message).toBe(
    "The source has no contract Safe; it has Coin, Vault",
  );
});

test("another commit of the same release is taken: a native build's may differ from npm's", async () => {
  const wanted = { version: "0.8.28", source: vault(), name: "Vault" };
  const native = submit(wanted, { compiler: "v0.8.28+commit.c68bc34e" });
  expect(await verifier.verify(native, deployed(wanted))).toMatchObject({
    verified: true,
    contract: { compiler: "v0.8.28+commit.7893614a" },
  });
  const nightly = submit(wanted, { compiler: "v0.8.28-nightly.2024.9.9+commit.7893614a" });
  expect((await verifier.verify(nightly, deployed(wanted))).message).toMatch(/^No compiler/);
});
