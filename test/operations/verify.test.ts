// What a submission (C3) is made of when it reaches the verifier, and what is recorded of it then.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type Submission,
  type Verdict,
  type VerifiedSource,
} from "../../mocks/index.ts";
import { runs } from "../support/runs.ts";

const accept = (contract: VerifiedSource): Verdict => ({
  verified: true,
  contract,
  message: contract.message ?? "",
});

const story = buildChain();
const contract = story.deploy(story.account({ balance: coins(1) })).address;
story.mine();

/** An explorer whose verifier accepts everything, unless `judge` says otherwise, and the submissions it received. */
function gullible(judge: (source: VerifiedSource, submission: Submission) => Verdict = accept) {
  const submissions: Submission[] = [];
  const mock = createExplorer({
    chain: story.chain.fork(),
    now: () => Date.UTC(2026, 2, 1, 12, 30, 45, 678),
    verifier: {
      async verify(submission, { address, runtimeCode }) {
        if ("standard_input" in submission) throw new Error("C3 has no field for it");
        submissions.push(submission);
        const source: VerifiedSource = {
          ...{ address, compiler: "v0.8.20+commit.a1b79de6", libraries: [], contractName: "Vault" },
          ...{ runs: 200, optimizationEnabled: false, code: runtimeCode, abi: [], source: "" },
          ...{ constructorArguments: "", swarmSource: "", message: "The same" },
        };
        return judge(source, submission);
      },
      close: async () => {},
    },
  });
  const verify = async (fields: Readonly<Record<string, unknown>>) => {
    const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${contract}/verify`, {
      method: "POST",
      headers: { "api-key": "k", "content-type": "application/json" },
      body: JSON.stringify({ ...submission, ...fields }),
    });
    return [response.status, await response.json()];
  };
  return { mock, submissions, verify };
}

const submission = {
  contract_name: "Vault",
  compiler: "0.8.20",
  runs_optimizer: 200,
  optimization_enabled: 0,
  contract_source: "YQ==",
  constructor_arguments: "",
};
const success = [
  200,
  { status: "200", message: "success", results: { data: "1", verify_message: "The same" } },
];

test("null means an optional parameter that is left out", async () => {
  const { submissions, verify } = gullible();
  expect(await verify({ evm_version: null, libraries: null })).toEqual(success);
  expect((await verify({}))[0]).toBe(200);
  expect(submissions).toEqual([submission, submission]);
});

test("null for a required parameter is refused by its name", async () => {
  const { submissions, verify } = gullible();
  for (const name of Object.keys(submission)) {
    const message = expect.stringContaining(`${name}: expected`);
    expect(await verify({ [name]: null })).toEqual([
      400,
      { status: "400", message, results: null },
    ]);
  }
  expect(submissions).toEqual([]);
});

test("verify_date is the service's time of the proof, in whole seconds", async () => {
  const { mock, verify } = gullible();
  await verify({});
  const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${contract}/code`, {
    headers: { "api-key": "k" },
  });
  expect((await response.json()).results.data).toMatchObject({
    verify_date: "2026-03-01T12:30:45Z",
    verify_status: "1",
    verify_message: "The same",
    logo: null,
  });
});

test("a match replaces only one that leaves more open", async () => {
  const regions = ["metadata hash", "ABI", "creation code", "immutables"] as const;
  const proof = fc.record({
    level: fc.constantFrom("exact" as const, "partial" as const),
    uncovered: fc.subarray([...regions]),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(proof, { minLength: 1, maxLength: 8 }), async (proofs) => {
      const { mock, verify } = gullible((source, { contract_source }) => {
        const own = proofs[Number(atob(contract_source))];
        return accept({ ...source, source: contract_source, ...own });
      });
      let kept: { proof: (typeof proofs)[number]; source: string } | undefined;
      for (const [index, { level, uncovered }] of proofs.entries()) {
        const source = btoa(`${index}`);
        const lessIsOpen =
          kept !== undefined &&
          uncovered.every((region) => kept?.proof.uncovered.includes(region)) &&
          uncovered.length < kept.proof.uncovered.length;
        const replaces =
          kept === undefined || (level === kept.proof.level ? lessIsOpen : level === "exact");
        const became = !kept
          ? ""
          : replaces
            ? `; it replaces the ${kept.proof.level} match recorded before`
            : `; the ${kept.proof.level} match recorded before stays`;
        const proven = { verify_level: level, verify_uncovered: uncovered };
        const [, { results }] = await verify({ contract_source: source });
        expect(results).toEqual({ data: "1", ...proven, verify_message: `The same${became}` });
        if (replaces) kept = { proof: { level, uncovered }, source };
        const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${contract}/code`, {
          headers: { "api-key": "k" },
        });
        expect((await response.json()).results.data).toMatchObject({
          contract_source: kept?.source,
          verify_level: kept?.proof.level,
          verify_message: "The same",
        });
      }
    }),
    { numRuns: runs(30) },
  );
});

test.each([
  ["overload", 503],
  ["stopped", 503],
  ["submitter", 429],
] as const)("no verdict because of %s is a %d that may be repeated", async (cause, status) => {
  const { mock } = gullible(() => ({ verified: null, message: "Too many", cause, retryAfter: 7 }));
  const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${contract}/verify`, {
    method: "POST",
    headers: { "api-key": "k", "content-type": "application/json" },
    body: JSON.stringify(submission),
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([status, "7"]);
  expect(await response.json()).toEqual({
    status: `${status}`,
    message: "Too many; nothing was recorded",
    results: null,
  });
  expect(mock.chain.verified(contract)).toBeUndefined();
});

test("1 MiB of source in base64 with line breaks is read", async () => {
  const { verify, submissions } = gullible();
  const base64 = btoa("x".repeat(2 ** 20)).replaceAll(/.{76}/g, "$&\n");
  expect((await verify({ contract_source: base64 }))[0]).toBe(200);
  expect(submissions[0]?.contract_source).toBe(base64);
});
