// The public test suites of other verifiers, against the service: every case that a single Solidity file can express.
import { delimiter } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createVerifier } from "../../../../mocks/node.ts";
import { type Anvil, startAnvil } from "../../../support/anvil.ts";
import { allianceSuites } from "./alliance.ts";
import { blockscoutSuites } from "./blockscout.ts";
import { checkouts, type Suite } from "./case.ts";
import { judge } from "./judge.ts";
import { sourcifySuites } from "./sourcify.ts";

const names = [
  "Verifier Alliance (Sourcify)",
  "Verifier Alliance (Blockscout)",
  "Blockscout, contracts",
  "Blockscout, JSON cases",
  "Sourcify, lib-sourcify",
  "Sourcify, server",
];

/** A row of the table in docs/verification.md. */
interface Count {
  judged: number;
  agreeing: number;
  /** Cases whose compiler is not at hand. */
  withoutCompiler: number;
  leftOut: number;
}

if (checkouts === undefined)
  throw new Error("VERIFICATION_SUITES names no folder of clones: see docs/verification.md");

describe("the suite", () => {
  const solc = process.env.VERIFICATION_SOLC?.split(delimiter) ?? [];
  const verifier = createVerifier({ solc, timeout: 300_000 });
  const suites = new Map<string, Suite>();
  let node: Anvil | undefined;

  beforeAll(async () => {
    node = await startAnvil();
    for (const suite of [
      ...allianceSuites(),
      ...(await blockscoutSuites(node)),
      ...(await sourcifySuites(node)),
    ])
      suites.set(suite.name, suite);
  });
  afterAll(() => Promise.all([node?.stop(), verifier.close()]));

  test.each(names)("%s agrees", async (name) => {
    const suite = suites.get(name);
    if (suite === undefined) throw new Error(`${checkouts} has no checkout with ${name}`);
    const count: Count = { judged: 0, agreeing: 0, withoutCompiler: 0, leftOut: 0 };
    const differing: Record<string, string> = {};
    for (const one of suite.cases) {
      if ("leftOut" in one) {
        count.leftOut++;
        continue;
      }
      const { verdict, level, message } = await judge(one, verifier);
      if (one.expected === "verified" && message.startsWith("No compiler ")) {
        count.withoutCompiler++;
        continue;
      }
      count.judged++;
      const agrees = verdict === one.expected && (one.level ?? level) === level;
      if (agrees) count.agreeing++;
      else differing[one.name] = `${level ?? verdict}: ${message}`;
    }
    console.info(
      `| ${name} | ${suite.cases.length} | ${count.judged} | ${count.agreeing} | ${count.withoutCompiler} | ${count.leftOut} |`,
    );
    expect(differing).toEqual({});
  });
});
