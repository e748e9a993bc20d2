// `/sourcify/v2` over HTTP: what tools send in Sourcify's forms, and what they get.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import {
  buildChain,
  coins,
  createExplorer,
  createVerifier,
  type ExplorerOptions,
  serveExplorer,
  word,
} from "../../mocks/node.ts";
import { compile } from "../verify/support.ts";

const verifier = createVerifier({ timeout: 300_000 });
afterAll(() => verifier.close());

const source = (comment = "") => `// SPDX-License-Identifier: MIT${comment}
pragma solidity ^0.8.20;
contract Counter { uint256 public count; constructor(uint256 first) { count = first; } }
`;
const file = "src/Counter.sol";
const builder = buildChain();
const { chainId } = builder.chain;
let counter: Address;
beforeAll(() => {
  const { creation, runtime } = compile({
    version: "0.8.28",
    source: source(),
    name: "Counter",
    file,
  });
  counter = builder.deploy(builder.account({ balance: coins(10) }), {
    code: runtime,
    initCode: creation,
    constructorArguments: word(7n),
  }).address;
  builder.mine();
});

const body = (text = source()) => ({
  stdJsonInput: {
    language: "Solidity",
    sources: { [file]: { content: text } },
    settings: { optimizer: { enabled: true, runs: 200 } },
  },
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: `${file}:Counter`,
});

/** A served explorer, asked as by a tool that speaks to Sourcify. */
async function serve(options: ExplorerOptions = {}) {
  const mock = createExplorer({ chain: builder.chain.fork(), verifier, ...options });
  const served = await serveExplorer(mock);
  onTestFinished(() => served.close());
  const ask = async (path: string, submitted?: object) => {
    const response = await fetch(`${served.url}/sourcify/v2/${path}`, {
      ...(submitted && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(submitted),
      }),
    });
    return [response.status, await response.json()] as const;
  };
  /** Asks for the outcome until there is one. */
  const outcomeOf = async (id: string) => {
    for (;;) {
      const [, job] = await ask(`verify/${id}`);
      if (job.isJobCompleted) return job;
    }
  };
  const submit = (submitted: object) => ask(`verify/${chainId}/${counter}`, submitted);
  return { mock, ask, submit, outcomeOf };
}

const exact = {
  match: "exact_match",
  creationMatch: "exact_match",
  runtimeMatch: "exact_match",
  chainId: `${chainId}`,
};
const none = { match: null, creationMatch: null, runtimeMatch: null, chainId: `${chainId}` };

test("a source is verified, with the constructor arguments on chain", async () => {
  const { mock, ask, submit, outcomeOf } = await serve();
  expect(await ask(`contract/${chainId}/${counter}`)).toEqual([404, { ...none, address: counter }]);
  const [status, { verificationId }] = await submit(body());
  expect(status).toBe(202);
  const job = await outcomeOf(verificationId);
  expect(job).toMatchObject({ verificationId, contract: { ...exact, address: counter } });
  expect(job.error).toBeUndefined();
  expect(await ask(`contract/${chainId}/${counter}`)).toMatchObject([200, exact]);
  expect(mock.chain.verified(counter)).toMatchObject({
    level: "exact",
    constructorArguments: word(7n).slice(2),
  });
  expect(await submit(body())).toMatchObject([409, { customCode: "already_verified" }]);
});

test("another comment is a match, and no exact one; of unknown creation code there is none", async () => {
  const { mock, ask, submit, outcomeOf } = await serve();
  const [, { verificationId }] = await submit(body(source(" other")));
  const match = { match: "match", creationMatch: "match", runtimeMatch: "match" };
  expect(await outcomeOf(verificationId)).toMatchObject({ contract: match });
  const contract = mock.chain.verified(counter);
  if (contract)
    mock.chain.applyHeadState({ verified: [{ ...contract, uncovered: ["creation code"] }] });
  expect(await ask(`contract/${chainId}/${counter}`)).toMatchObject([
    200,
    { ...match, creationMatch: null },
  ]);
});

test("a wrong source is an error that says what differs", async () => {
  const { submit, outcomeOf } = await serve();
  const [, { verificationId }] = await submit(body(source().replace("= first", "= first + 1")));
  expect(await outcomeOf(verificationId)).toMatchObject({
    contract: none,
    error: { customCode: "no_match", message: expect.stringMatching(/^Creation code differs/) },
  });
});

describe("a lookup", () => {
  const verified = async () => {
    const { ask, submit, outcomeOf } = await serve();
    const [, { verificationId }] = await submit(body());
    await outcomeOf(verificationId);
    const contract = `contract/${chainId}/${counter}`;
    return async (query: string) => (await ask(`${contract}${query}`))[1];
  };

  test("returns the fields it asks for", async () => {
    const lookup = await verified();
    const match = await lookup("");
    expect(match).not.toHaveProperty("abi");
    const { abi, sources, ...rest } = await lookup("?fields=abi,sources");
    expect(rest).toEqual(match);
    expect(abi).toContainEqual(expect.objectContaining({ type: "function", name: "count" }));
    expect(sources).toEqual({ [file]: { content: source() } });
    expect(await lookup("?fields=compilation.name")).toMatchObject({
      compilation: { name: "Counter", fullyQualifiedName: `${file}:Counter` },
    });
    const all = await lookup("?fields=all");
    expect(all).toMatchObject({
      ...{ abi, sources, storageLayout: null },
      compilation: { language: "Solidity", compilerVersion: "0.8.28+commit.7893614a" },
      stdJsonInput: { sources, settings: { optimizer: { enabled: true, runs: 200 } } },
      deployment: { transactionHash: expect.stringMatching(/^0x/), deployer: expect.any(String) },
    });
  });

  test("is refused for a field that Sourcify does not have", async () => {
    const lookup = await verified();
    expect(await lookup("?fields=abi,source")).toMatchObject({
      customCode: "invalid_parameter",
      message: expect.stringMatching(/^fields: expected names of all, .*received "source"$/),
    });
  });
});

test("what is wrong with a request has Sourcify's form and a status of its own", async () => {
  const { ask, submit } = await serve();
  expect(await ask(`contract/1/${counter}`)).toMatchObject([
    404,
    {
      customCode: "not_found",
      message: `chain 1: expected ${chainId}, the chain of this explorer`,
    },
  ]);
  expect(await submit({ ...body(), compilerVersion: undefined })).toMatchObject([
    400,
    { customCode: "invalid_parameter", message: expect.stringMatching(/^compilerVersion: /) },
  ]);
  expect(await ask("verify/none")).toMatchObject([404, { customCode: "not_found" }]);
  expect(await ask("nothing")).toMatchObject([404, { errorId: expect.any(String) }]);
});
