// Bytes that a submission does not fix: addresses of libraries, values of immutables, metadata inside the code, and what follows the code.
import { afterAll, describe, expect, test } from "vitest";
import type { Address, Hex } from "../../../../mocks/double/chain/records.ts";
import type { OnChainContract, Submission } from "../../../../mocks/double/operations/verifier.ts";
import { createAddress } from "../../../../mocks/double/sources/builder/evm.ts";
import { lastMetadata } from "../../../../mocks/double/sources/metadata.ts";
import {
  ADDRESS,
  bytesOf,
  compile,
  compilers,
  createVerifierOfAll,
  creation,
  hasOldCompilers,
  hexOf,
  onChain,
  submit,
  type Wanted,
  withImmutables,
  word,
} from "../support.ts";

const hasOld = hasOldCompilers();
const verifier = createVerifierOfAll({ timeout: 300_000 });
afterAll(() => verifier.close());

async function judge(wanted: Wanted, chain: OnChainContract, changed: Partial<Submission> = {}) {
  const verdict = await verifier.verify(submit(wanted, changed), chain);
  return verdict.verified ? verdict.contract : verdict;
}

const partial = { level: "partial", uncovered: ["metadata hash", "ABI"] };
const refused = (reason: string) => ({
  verified: false,
  message: expect.stringContaining(reason),
});

describe.skipIf(!hasOld).each(compilers)("%s: libraries", (version) => {
  const source = (comment = "") => `// ${comment}
library One { function f(uint a) public pure returns (uint) { return a + 1; } }
library Two { function f(uint a) public pure returns (uint) { return a + 2; } }
contract User { uint public x;
  function one() public { x = One.f(x); } function two() public { x = Two.f(x); }
  function run(uint at) public { function () internal f; assembly { f := at } f(); } }`;
  // Were they not pushed, these bytes would be JUMPDEST CALLER SELFDESTRUCT.
  const One: Address = `0x${"5b33ff".padStart(40, "01")}`;
  const Two: Address = `0x${"22".repeat(20)}`;
  const wanted = (comment = ""): Wanted => ({
    ...{ version, source: source(comment), name: "User", file: "User.sol" },
    libraries: { One, Two },
  });
  const { runtime, creation } = compile(wanted());
  const chain = onChain(runtime, creation);
  const libraries = [
    { name: "One", address: One },
    { name: "Two", address: Two },
  ];

  test("whose addresses are exchanged, or of which one is missing, are refused", async () => {
    const exchanged = [
      { name: "One", address: Two },
      { name: "Two", address: One },
    ];
    expect(await judge(wanted(), chain, { libraries: exchanged })).toMatchObject(
      refused("in the address of library"),
    );
    expect(await judge(wanted(), chain, { libraries: libraries.slice(1) })).toMatchObject(
      refused("Library One has no address in the submission"),
    );
  });

  test("that the contract does not call are not recorded", async () => {
    const more = [...libraries, { name: "Audit", address: ADDRESS }];
    expect(await judge(wanted(), chain, { libraries: more })).toMatchObject({ libraries });
  });

  test("have no code in their addresses: those are pushed", async () => {
    expect(await judge(wanted("other"), chain)).toMatchObject(partial);
  });
});

describe.skipIf(!hasOld).each(compilers)("%s: metadata inside the code", (version) => {
  test("that is forged for an embedded contract makes the match partial, though the own is right", async () => {
    const wanted: Wanted = {
      ...{ version, name: "Maker", file: "Maker.sol" },
      source: `contract Made { uint public y = 6; }
contract Maker { function make() public returns (Made) { return new Made(); } }`,
    };
    const code = compile(wanted);
    const { hash } = lastMetadata(bytesOf(compile({ ...wanted, name: "Made" }).runtime)) ?? {};
    const forged = (hex: Hex) => {
      const bytes = bytesOf(hex);
      const end = bytes.indexOf(hash ?? "none") + (hash?.length ?? 0);
      return hexOf(bytes.fill(0x01, end - 32, end));
    };
    expect(await judge(wanted, onChain(code.runtime, code.creation))).toMatchObject({
      level: "exact",
    });
    expect(await judge(wanted, onChain(forged(code.runtime), forged(code.creation)))).toMatchObject(
      partial,
    );
  });

  test("that the program reads as its owner's address is never called exact", async () => {
    const wanted: Wanted = {
      ...{ version, name: "Owned", file: "Owned.sol" },
      source: `contract Owned { function owner() public pure returns (address o) {
        assembly { codecopy(0, sub(codesize(), 42), 32) o := mload(0) } } }`,
    };
    const code = compile(wanted);
    const owned = (hex: Hex) => {
      const bytes = bytesOf(hex);
      const { start = 0, hash } = lastMetadata(bytes) ?? {};
      const end = bytes.indexOf(hash ?? "none", start) + (hash?.length ?? 0);
      return hexOf(bytes.fill(0x66, end - 32, end));
    };
    expect(await judge(wanted, onChain(owned(code.runtime), owned(code.creation)))).toMatchObject(
      partial,
    );
  });
});

describe.skipIf(!hasOld).each(compilers)("%s: bytes after the code", (version) => {
  const visible = version < "0.7" ? "public" : "";
  const wanted: Wanted = {
    ...{ version, name: "Kept", file: "Kept.sol" },
    source: `contract Kept { uint public x; constructor(uint y) ${visible} { x = y; } }`,
  };
  const { runtime, creation } = compile(wanted);
  const more = "5b33ff";

  test("of the runtime are refused", async () => {
    const longer = onChain(`${runtime}${more}`, `${creation}${word(7n)}`);
    expect(await judge(wanted, longer, { constructor_arguments: word(7n) })).toMatchObject(
      refused("Runtime code differs"),
    );
  });

  test("and after the constructor's arguments are no less than recorded", async () => {
    const chain = onChain(runtime, `${creation}${word(7n)}${more}`);
    expect(await judge(wanted, chain, { constructor_arguments: word(7n) })).toMatchObject(
      refused(`Constructor arguments differ: 0x${word(7n)}${more} on chain`),
    );
    // Where none are submitted, those on chain are recorded only if they are the parameters' encoding.
    const input = {
      contract_name: "Kept.sol:Kept",
      compiler: version,
      standard_input: JSON.stringify({
        language: "Solidity",
        sources: { "Kept.sol": { content: wanted.source } },
        settings: { optimizer: { enabled: true, runs: 200 } },
      }),
    };
    expect(await verifier.verify(input, chain)).toMatchObject(
      refused("Constructor arguments on chain:"),
    );
    expect(
      await judge(wanted, chain, { constructor_arguments: `${word(7n)}${more}` }),
    ).toMatchObject({ level: "exact", constructorArguments: `${word(7n)}${more}` });
  });

  test("do not pass a longer constructor off as arguments", async () => {
    const longer = wanted.source.replace("x = y;", "x = y; if (y == 1) x = uint(msg.sender);");
    const other = version < "0.8" ? longer : longer.replace("uint(msg", "uint160(msg");
    const rest = bytesOf(compile({ ...wanted, source: other }).creation);
    const own = bytesOf(creation).length;
    expect(
      await judge(wanted, onChain(runtime, `${hexOf(rest)}${word(7n)}`), {
        constructor_arguments: `${hexOf(rest.subarray(own)).slice(2)}${word(7n)}`,
      }),
    ).toMatchObject(refused("Creation code differs"));
  });
});

describe.skipIf(!hasOld).each(withImmutables)(
  "%s: immutables that are code, or where it is",
  (version) => {
    const visible = version < "0.7" ? "public" : "";
    const zeros = `7f${word(0n)}`;
    const judgeValue = async (wanted: Wanted, value: bigint, known = true) => {
      const code = compile(wanted);
      const set: Hex = `0x${code.runtime.slice(2).replaceAll(zeros, `7f${word(value)}`)}`;
      return judge(wanted, {
        ...onChain(set, ...(known ? [code.creation] : [])),
        ...(known && { creation }),
      });
    };
    const jumping: Wanted = {
      ...{ version, name: "Jumping", file: "Jumping.sol" },
      source: `contract Jumping { uint public x; function () internal immutable next;
      constructor() ${visible} { next = one; }
      function one() internal { x = 1; } function two() public { x = 2; }
      function run() public { next(); } }`,
    };

    test("a jump is named as open where the creation is unknown, else it is run", async () => {
      expect(await judgeValue(jumping, 99n, false)).toMatchObject({
        level: "exact",
        uncovered: ["creation code", "immutables"],
      });
      expect(await judgeValue(jumping, 99n)).toMatchObject(refused("in an immutable"));
    });

    test("the address of a contract that the constructor creates is proven", async () => {
      const wanted: Wanted = {
        ...{ version, name: "Maker", file: "Maker.sol" },
        source: `contract Made { uint public y = 6; }
contract Maker { Made public immutable made; constructor() ${visible} { Made m = new Made(); require(m.y() == 6); made = m; } }`,
      };
      const made = BigInt(createAddress(ADDRESS, 1));
      expect(await judgeValue(wanted, made)).toMatchObject({ level: "exact", uncovered: [] });
      expect(await judgeValue(wanted, made + 1n)).toMatchObject(refused("in an immutable"));
    });

    test.each([
      ["the balance that its address had before", "balance(address())"],
      ["the gas that was left", "gas()"],
    ])("%s is not known here: nothing is refused for it", async (_, read) => {
      const wanted: Wanted = {
        ...{ version, name: "Rich", file: "Rich.sol" },
        source: `contract Rich { uint public immutable had;
      constructor() ${visible} { uint v; assembly { v := ${read} } had = v; } }`,
      };
      expect(await judgeValue(wanted, 12345n)).toMatchObject({
        level: "exact",
        uncovered: ["immutables"],
      });
    });
  },
);
