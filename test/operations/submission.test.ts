// What a submission (C3) is made of when it reaches the verifier, and what is recorded of it then.
import { expect, test } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type Submission,
  type VerifiedSource,
} from "../../mocks/index.ts";

const story = buildChain();
const contract = story.deploy(story.account({ balance: coins(1) })).address;
story.mine();

/** An explorer whose verifier accepts everything, and the submissions it received. */
function gullible() {
  const submissions: Submission[] = [];
  const mock = createExplorer({
    chain: story.chain.fork(),
    now: () => Date.UTC(2026, 2, 1, 12, 30, 45, 678),
    verifier: {
      async verify(submission, { address, runtimeCode }) {
        submissions.push(submission);
        const source: VerifiedSource = {
          ...{ address, compiler: "v0.8.20+commit.a1b79de6", libraries: [], contractName: "Vault" },
          ...{ runs: 200, optimizationEnabled: false, code: runtimeCode, abi: [], source: "" },
          ...{ constructorArguments: "", swarmSource: "", message: "The same" },
        };
        return { verified: true, contract: source, message: "The same" };
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
const success = [200, { status: "200", message: "success", results: { data: "1" } }];

test("null means an optional parameter that is left out", async () => {
  const { submissions, verify } = gullible();
  expect(await verify({ evm_version: null, libraries: null })).toEqual(success);
  expect(await verify({})).toEqual(success);
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
