// C3 in a page: the compiler runs in a Web Worker, and the client gets the verdict through the service worker.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { commands } from "vitest/browser";
import {
  buildChain,
  coins,
  createExplorer,
  createVerifier,
  setupExplorerWorker,
  type Verifier,
} from "../../mocks/browser.ts";
import { ExplorerClient, VerificationError } from "../../src/index.ts";

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
  uint256 public immutable limit;
  constructor(uint256 given) { limit = given; }
  function isAbove(uint256 value) external view returns (bool) { return value > limit; }
}
`;
const constructorArguments = "7".padStart(64, "0");
const baseUrl = "https://explorer.example/verified";

let compilers: string;
beforeAll(async () => {
  compilers = await commands.startCompilers();
});
afterAll(() => commands.stopServers());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A page whose explorer has the contract and this verifier. */
async function pageWith(verifier: Verifier) {
  const wanted = { version: "0.8.28", name: "Vault", file: "Vault.sol", source };
  const { creation, runtime } = await commands.compiled(wanted, constructorArguments);
  const builder = buildChain();
  const { address } = builder.deploy(builder.account({ balance: coins(1) }), {
    ...{ code: runtime, initCode: creation },
    constructorArguments: `0x${constructorArguments}`,
  });
  builder.mine();
  const { start, stop } = setupExplorerWorker(
    createExplorer({ baseUrl, chain: builder, verifier }),
  );
  await start();
  closing.push(stop, () => verifier.close());
  const client = new ExplorerClient({ baseUrl, apiKey: "any", retry: { limit: 0 } });
  const verify = (changed: object = {}) =>
    client.contracts.verify(address, {
      ...{ contract_name: "Vault", compiler: "0.8.28", source },
      ...{ optimization_enabled: true, runs_optimizer: 200 },
      constructor_arguments: constructorArguments,
      ...changed,
    });
  return { client, address, verify };
}

const reasonOf = (verifying: Promise<unknown>): Promise<string | null> =>
  verifying.then(
    () => null,
    (error: unknown) => {
      if (error instanceof VerificationError) return error.reason ?? "";
      throw error;
    },
  );

test("a source is verified in the page, with the compiler at an address", async () => {
  const before = (await commands.askedCompilers()).length;
  const verifier = createVerifier({ compilers: { "0.8.28": `${compilers}/0.8.28.js` } });
  const { client, address, verify } = await pageWith(verifier);
  expect(await commands.askedCompilers()).toHaveLength(before);
  expect(await verify()).toMatchObject({ verify_level: "exact", verify_uncovered: [] });
  expect((await commands.askedCompilers()).slice(before)).toEqual(["/0.8.28.js"]);
  expect(await client.contracts.code(address)).toMatchObject({
    contract_source: source,
    compiler: "v0.8.28+commit.7893614a",
    constructor_arguments: constructorArguments,
    verify_level: "exact",
  });

  // Another comment is another hash of the metadata; the compiler that is loaded compiles it, too.
  expect(await verify({ source: `${source}// reviewed\n` })).toMatchObject({
    verify_level: "partial",
    verify_uncovered: ["metadata hash", "ABI"],
  });
  expect(await reasonOf(verify({ source: source.replace(">", ">=") }))).toMatch(
    /^Runtime code differs from byte \d+ on, in the program/,
  );
  expect((await commands.askedCompilers()).slice(before)).toEqual(["/0.8.28.js"]);
});

test("a compiler that is not named, or not at its address, is a reason", async () => {
  const { verify } = await pageWith(
    createVerifier({ compilers: { "0.8.28": `${compilers}/0.8.99.js` } }),
  );
  expect(await reasonOf(verify({ compiler: "0.8.20" }))).toBe(
    'No compiler "0.8.20"; name its address in the compilers of createVerifier; available: v0.8.28',
  );
  expect(await reasonOf(verify({ compiler: "0.4.1" }))).toMatch(/it is too old/);
  expect(await reasonOf(verify())).toMatch(/^The compiler could not be run: .*0\.8\.99\.js/);
});

test("a name that is no version is a mistake", () => {
  expect(() => createVerifier({ compilers: { latest: "/soljson.js" } })).toThrow(
    /^compilers: expected versions such as "0\.8\.20" .*, received "latest"$/,
  );
});
