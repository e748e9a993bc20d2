// The verifier against the devnet: each true source is proven, each wrong one refused where code can tell.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createVerifier } from "../../mocks/verification/verifier.ts";
import { DEVNET, describeWith } from "../support/chains.ts";
import { contracts, sources, submissionOf, type WrongSource, wrongSources } from "./devnet.ts";

describeWith(DEVNET, "the devnet's sources", () => {
  const verifier = createVerifier();
  let onChain: ReturnType<typeof contracts>;
  beforeAll(() => {
    onChain = contracts();
  });
  afterAll(() => verifier.close());

  test("every source is proven, by runtime and creation code", async () => {
    for (const source of sources()) {
      const verdict = await verifier.verify(submissionOf(source), onChain(source.address));
      expect(verdict, source.name).toMatchObject({
        verified: true,
        contract: {
          address: source.address,
          compiler: source.compiler,
          contractName: source.name,
          abi: source.abi,
          source: source.source,
          code: onChain(source.address).runtimeCode,
        },
        message: expect.stringMatching(
          /^Runtime code, creation code and constructor arguments are the same/,
        ),
      });
    }
  }, 120_000);

  /** Only the version bytes in the metadata tell: the oracle's `blanked` leaves them out of the comparison. */
  const onlyTheVersionDiffers = ({ what, compiler }: WrongSource) =>
    what.startsWith("other compiler") && !compiler.startsWith("v0.4.");

  const isTrue = (source: WrongSource) =>
    typeof source.verdict === "object" &&
    source.verdict.blanked &&
    source.verdict.creation &&
    !onlyTheVersionDiffers(source);

  test("wrong submissions are refused, but for those that compile to the same code", async () => {
    for (const source of wrongSources()) {
      const verdict = await verifier.verify(submissionOf(source), onChain(source.address));
      expect(verdict.verified, `${source.name}, ${source.what}: ${verdict.message}`).toBe(
        isTrue(source),
      );
    }
  }, 240_000);
});
