// Values of immutables, which a submission does not fix.
import { afterAll, describe, expect, test } from "vitest";
import type { Hex } from "../../../mocks/chain/records.ts";
import type { OnChainContract, Submission } from "../../../mocks/operations/verifier.ts";
import {
  compile,
  createVerifierOfAll,
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

describe.skipIf(!hasOld).each(withImmutables)("%s: immutables that are code", (version) => {
  const visible = version < "0.7" ? "public" : "";
  const jumping: Wanted = {
    ...{ version, name: "Jumping", file: "Jumping.sol" },
    source: `contract Jumping { uint public x; function () internal immutable next;
    constructor() ${visible} { next = one; }
    function one() internal { x = 1; } function two() public { x = 2; }
    function run() public { next(); } }`,
  };
  const { creation, runtime } = compile(jumping);
  const set: Hex = `0x${runtime.slice(2).replaceAll(`7f${word(0n)}`, `7f${word(99n)}`)}`;

  test("are named as open where the creation is unknown", async () => {
    expect(await judge(jumping, onChain(set))).toMatchObject({
      level: "exact",
      uncovered: ["creation code", "immutables"],
    });
  });

  test("are set by the creation code, which has to be the compiled one", async () => {
    expect(await judge(jumping, onChain(set, creation))).toMatchObject({ uncovered: [] });
    const other = compile({ ...jumping, source: jumping.source.replace("= one", "= two") });
    expect(await judge(jumping, onChain(set, other.creation))).toMatchObject({ verified: false });
  });
});
