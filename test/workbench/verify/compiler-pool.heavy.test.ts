// Heavy submissions over HTTP, where one compiler runs at a time: they hold up nobody who does not need it, nor anybody once they are aborted.
import { afterAll, expect, test } from "vitest";
import type { Verifier } from "../../../mocks/double/operations/verifier.ts";
import {
  buildChain,
  coins,
  createExplorer,
  createVerifier,
  serveExplorer,
} from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { compile, endless } from "./support.ts";

const version = "0.8.28";
const source = "contract Purse { uint public held; function put(uint n) public { held += n; } }";
const { runtime, creation } = compile({ version, source, name: "Purse", file: "Purse.sol" });

const builder = buildChain();
const deployer = builder.account({ balance: coins(1000) });
const { address } = builder.deploy(deployer, { code: runtime, initCode: creation });
builder.mine();

const compilers = createVerifier({ parallel: 1, timeout: 300_000 });
let arrived = 0;
const verifier: Verifier = {
  ...compilers,
  verify: (...submitted) => {
    arrived++;
    return compilers.verify(...submitted);
  },
};
const served = await serveExplorer(createExplorer({ chain: builder.chain, verifier }));
afterAll(async () => {
  await served.close({ graceMs: 0 });
  await compilers.close();
});

const submitter = (apiKey: string) =>
  new ExplorerClient({ baseUrl: served.url, apiKey, timeout: 300_000 });

const submission = (text: string) => ({
  contract_name: "Purse",
  compiler: version,
  runs_optimizer: 200,
  optimization_enabled: true,
  constructor_arguments: "",
  source: text,
});

/** Submissions that take minutes, each of a submitter of its own; returns once the service has them. */
async function startHeavy(count: number) {
  const controller = new AbortController();
  let ended = 0;
  const before = arrived;
  const outcomes = Array.from({ length: count }, (_, index) =>
    submitter(`heavy ${index}`)
      .contracts.verify(address, submission(`${endless} // ${index}`), {
        signal: controller.signal,
      })
      .catch((error: unknown) => error)
      .finally(() => {
        ended++;
      }),
  );
  await expect.poll(() => arrived - before).toBe(count);
  return {
    working: () => count - ended,
    abort: () => {
      controller.abort();
      return Promise.all(outcomes);
    },
  };
}

const explorer = submitter("light");

test("a repeated submission needs no compiler", async () => {
  expect((await explorer.contracts.verify(address, submission(source))).verify_level).toBe("exact");
  const heavy = await startHeavy(1);
  expect((await explorer.contracts.verify(address, submission(source))).verify_level).toBe("exact");
  expect(heavy.working()).toBe(1);
  await heavy.abort();
});

test("eight aborted submissions do not delay a small one", async () => {
  const heavy = await startHeavy(8);
  const small = explorer.contracts.verify(address, submission(`${source} // other`));
  await heavy.abort();
  expect((await small).verify_level).toBe("partial");
});
