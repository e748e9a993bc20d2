// What a submission (C3) is made of when it reaches the verifier, and what is recorded of it then.

import { expect, test } from "vitest";
import { viewOf } from "../../mocks/chain/reader.ts";
import type { ContractVerification } from "../../mocks/chain/records.ts";
import {
  buildChain,
  coins,
  createExplorer,
  type Submission,
  type Verdict,
  type VerifiedSource,
} from "../../mocks/index.ts";
import { verifyOn } from "../../mocks/operations/verify.ts";

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

type Proof = Pick<ContractVerification, "level" | "uncovered">;
const [exact, loaded] = [{ level: "exact", uncovered: [] }, {}] as const;
const partial = (...uncovered: NonNullable<Proof["uncovered"]>) =>
  ({ level: "partial", uncovered }) as const;

test.each<[Proof | undefined, Proof, string | undefined, boolean]>([
  [undefined, partial("ABI"), undefined, true],
  [partial("ABI"), exact, "it replaces the partial match recorded before", true],
  [exact, partial(), "the exact match recorded before stays", false],
  [exact, exact, "the exact match recorded before stays", false],
  [loaded, partial(), "the source loaded as verified stays", false],
  [loaded, loaded, "the source loaded as verified stays", false],
  [loaded, exact, "it replaces the source loaded as verified", true],
  [partial(), loaded, "it replaces the partial match recorded before", true],
  [partial("ABI", "immutables"), partial("ABI"), "it replaces the partial match", true],
  [partial("ABI"), partial("ABI"), "the partial match recorded before stays", false],
  [partial("ABI"), partial("immutables"), "the partial match recorded before stays", false],
  [
    ...([partial("ABI", "immutables", "metadata hash"), partial("ABI", "creation code")] as const),
    ...(["the partial match recorded before stays", false] as const),
  ],
])("after %j, the proof %j: %s", async (before, proof, note, replaces) => {
  const recorded: ContractVerification[] = [];
  const source = { address: contract, libraries: [], abi: [] } as never as ContractVerification;
  const verified = () => before && { ...source, ...before };
  const asked: unknown[] = [];
  const verifier = {
    verify: async (...given: unknown[]) => {
      asked.push(given);
      return accept({ ...source, ...proof, message: "Same" });
    },
    close: async () => {},
  };
  const chain = viewOf(story.chain, { verified });
  const verify = verifyOn(
    chain,
    verifier,
    (one) => recorded.push(one),
    () => 5999,
  );
  const { signal } = new AbortController();
  const verdict = await verify(contract, submission as never, {
    headers: { "api-key": "k" },
    signal,
  });
  expect(verdict.message).toMatch(note === undefined ? /^Same$/ : RegExp(`^Same; ${note}`));
  expect(recorded).toEqual(
    replaces ? [{ ...source, ...proof, message: "Same", verifiedAt: 5 }] : [],
  );
  const facts = expect.objectContaining({ address: contract });
  expect(asked).toEqual([[submission, facts, { submitter: "k", signal }]]);
});

test("nothing is recorded of a source that differs, or whose contract changed meanwhile", async () => {
  const record = () => expect.unreachable();
  const other: Verdict = { verified: false, message: "Other code" };
  let isChanged = false;
  const code = () => (isChanged ? "0x01" : story.chain.code(contract));
  const ask = (verdict: Verdict, changes: boolean) => {
    const verifier = {
      verify: async () => {
        isChanged = changes;
        return verdict;
      },
      close: async () => {},
    };
    const verify = verifyOn(viewOf(story.chain, { code }), verifier, record, () => 0);
    return verify(contract, submission as never, { headers: {} });
  };
  expect(await ask(other, false)).toEqual(other);
  expect(await ask(accept({ address: contract } as VerifiedSource), true)).toEqual({
    verified: false,
    message: expect.stringContaining("changed during verification"),
  });
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
