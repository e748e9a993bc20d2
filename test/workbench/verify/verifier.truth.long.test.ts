// The verifier against the devnet's wrong submissions: refused where code can tell. The true ones go through the whole service. `npm test`
// takes one of each kind for each compiler, `npm run laws` all of them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEVNET, describeWith } from "../../support/chains.ts";
import { limit, runs } from "../../support/runs.ts";
import { contracts, submissionOf, type WrongSource, wrongSources } from "./devnet.ts";
import { createVerifierOfAll, hasOldCompilers } from "./support.ts";

describeWith(DEVNET, "the devnet's wrong submissions", () => {
  const verifier = createVerifierOfAll({ timeout: 300_000 });
  let onChain: ReturnType<typeof contracts>;
  beforeAll(() => {
    onChain = contracts();
  });
  afterAll(() => verifier.close());

  /** Only the version bytes in the metadata tell: the oracle's `blanked` leaves them out of the comparison. */
  const onlyTheVersionDiffers = ({ what, compiler }: WrongSource) =>
    what.startsWith("other compiler") && !compiler.startsWith("v0.4.");

  const isTrue = (source: WrongSource) =>
    typeof source.verdict === "object" &&
    source.verdict.blanked &&
    source.verdict.creation &&
    !onlyTheVersionDiffers(source);

  /** How many of each kind are tried for each compiler. */
  const perKind = runs(1);
  const taken = new Map<string, number>();
  const isTaken = ({ what, compiler, useCompiler = compiler }: WrongSource) => {
    const kind = `${useCompiler}, ${what}`;
    const count = taken.get(kind) ?? 0;
    taken.set(kind, count + 1);
    return count < perKind;
  };

  test.skipIf(!hasOldCompilers())(
    "they are refused, but for those that compile to the same code",
    async () => {
      for (const source of wrongSources().filter(isTaken)) {
        const verdict = await verifier.verify(submissionOf(source), onChain(source.address));
        expect(verdict.verified, `${source.name}, ${source.what}: ${verdict.message}`).toBe(
          isTrue(source),
        );
      }
    },
    limit(600_000),
  );
});
