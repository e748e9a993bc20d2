// Forms of code that C3 has no field for are read from the chain.
import { afterAll, describe, expect, test } from "vitest";
import { createVerifier } from "../../mocks/verify/verifier.ts";
import { compile, onChain, submit, type Wanted } from "./support.ts";

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

/** Returns the verdicts on the deployed source, and on it with another comment. */
async function verdicts(wanted: Wanted) {
  const chain = deployed({ ...wanted, file: `${wanted.name}.sol` });
  const commented = { ...wanted, source: `${wanted.source}// other` };
  return Promise.all([wanted, commented].map((it) => verifier.verify(submit(it), chain)));
}

const level = (level: "exact" | "partial") => ({
  verified: true,
  contract: { level, uncovered: level === "exact" ? [] : ["metadata hash", "ABI"] },
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
  test("with another hash is compiled so", async () => {
    const settings = { metadata: { bytecodeHash: "bzzr1" } };
    const version = "0.8.28";
    const [same, commented] = await verdicts({ version, source: vault(), name: "Vault", settings });
    expect(same).toMatchObject(level("exact"));
    expect(commented).toMatchObject(level("partial"));
  });

  test.each([
    ["0.8.28", { bytecodeHash: "none" }],
    ["0.8.37", { appendCBOR: false, bytecodeHash: "none" }],
  ])("%s with %j is compiled so; nothing is exact without a hash", async (version, metadata) => {
    const settings = { metadata };
    for (const verdict of await verdicts({ version, source: vault(), name: "Vault", settings })) {
      expect(verdict).toMatchObject(level("partial"));
      expect(verdict.message).toMatch(/; the code has no metadata hash$/);
    }
  });
});

describe("the pipeline via the intermediate representation is found in the code", () => {
  test.each([
    ["0.8.20", true, vault()],
    // A small contract, because the stack is too small for the larger one.
    [
      "0.8.20",
      false,
      "contract Vault { uint public held; function put(uint n) public { held += n; } }",
    ],
    ["0.8.28", false, vault()],
    ["0.8.37", true, vault()],
  ])("%s, optimizer %s", async (version, optimizer, source) => {
    const wanted = { version, source, name: "Vault", optimizer };
    const [same, commented] = await verdicts({ ...wanted, settings: { viaIR: true } });
    expect(same).toMatchObject(level("exact"));
    expect(commented).toMatchObject(level("partial"));
  });

  test("also where the code has no dispatcher", async () => {
    const source = `contract F { address to; fallback() external payable { (bool ok,) = to.call{value: msg.value}(msg.data); require(ok); } }`;
    const wanted = { version: "0.8.28", source, name: "F", settings: { viaIR: true } };
    expect((await verdicts(wanted))[0]).toMatchObject(level("exact"));
  });
});

test("with the right file name before the contract's, the match is exact", async () => {
  const wanted = { version: "0.8.28", source: vault(), name: "Vault", file: "src/Bank.sol" };
  const chain = deployed(wanted);
  const plain = await verifier.verify(submit(wanted), chain);
  expect(plain).toMatchObject(level("partial"));
  const named = submit(wanted, { contract_name: "src/Bank.sol:Vault" });
  expect(await verifier.verify(named, chain)).toMatchObject({
    verified: true,
    contract: { level: "exact", contractName: "Vault" },
  });
  const file = "project:/contracts/Bank.sol";
  const withColon = submit(wanted, { contract_name: `${file}:Vault` });
  expect(await verifier.verify(withColon, deployed({ ...wanted, file }))).toMatchObject(
    level("exact"),
  );
  const unknown = submit(wanted, { contract_name: "src/Bank.sol:Safe" });
  expect((await verifier.verify(unknown, chain)).message).toBe(
    "The source has no contract Safe; it has Coin, Vault",
  );
});
