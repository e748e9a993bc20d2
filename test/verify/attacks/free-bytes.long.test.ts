// Bytes that a submission does not fix: addresses of libraries, values of immutables, metadata inside the code, and what follows the code.
import { afterAll, describe, expect, test } from "vitest";
import { createAddress } from "../../../mocks/builder/evm.ts";
import type { Hex } from "../../../mocks/chain/records.ts";
import type { OnChainContract, Submission } from "../../../mocks/operations/verifier.ts";
import {
  ADDRESS,
  compile,
  createVerifierOfAll,
  creation,
  hasOldCompilers,
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

const refused = (reason: string) => ({
  verified: false,
  message: expect.stringContaining(reason),
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
