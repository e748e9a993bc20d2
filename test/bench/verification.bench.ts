// What a verification costs beside the compiler it needs, and what other requests notice of it.
import { createRequire } from "node:module";
import { afterAll, test } from "vitest";
import { createExplorer, createVerifier, loadChain, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { DEVNET, describeWith } from "../support/chains.ts";
import { contracts, sources, submissionOf } from "../verification/devnet.ts";

describeWith(DEVNET, "verification", () => {
  // An ERC-20 of OpenZeppelin with permit and burning: 179 kB of source, 4 kB of code.
  const token = sources().find(({ name }) => name === "AuroraToken");
  if (token === undefined) throw new Error("the devnet has no AuroraToken");
  const onChain = contracts()(token.address);
  const submission = submissionOf(token);
  const commented = submissionOf({ ...token, source: `// a comment\n${token.source}` });
  const wrong = submissionOf({ ...token, runs: 1 });

  const solc = createRequire(import.meta.url)("solc-0.8.28");
  const input = JSON.stringify({
    language: "Solidity",
    sources: { "AuroraToken.sol": { content: token.source } },
    settings: {
      optimizer: { enabled: token.optimizer, runs: token.runs },
      evmVersion: token.evmVersion,
      outputSelection: {
        "AuroraToken.sol": {
          AuroraToken: ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"],
        },
      },
    },
  });
  const verifier = createVerifier();
  afterAll(() => verifier.close());

  test("an ERC-20", async ({ bench }) => {
    const verify = (it: typeof submission) => async () => void (await verifier.verify(it, onChain));
    const result = await bench.compare(
      bench("one compile by solc", () => void solc.compile(input)),
      bench("verified, the metadata is the same", verify(submission)),
      bench("verified, a comment is another: compiled twice", verify(commented)),
      bench("refused, other runs: compiled twice", verify(wrong)),
      { iterations: 10, time: 0, warmupIterations: 3, warmupTime: 0 },
    );
    const once = result.get("one compile by solc").latency.p50;
    for (const name of [
      "verified, the metadata is the same",
      "verified, a comment is another: compiled twice",
      "refused, other runs: compiled twice",
    ] as const) {
      const { p50 } = result.get(name).latency;
      console.info(`${name}: ${p50.toFixed(0)} ms, ${(p50 / once).toFixed(2)} compiles`);
    }
  }, 300_000);

  test("another request meanwhile", async ({ bench }) => {
    const explorer = createExplorer({ chain: await loadChain(DEVNET), verifier });
    const served = await serveExplorer(explorer);
    const client = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
    const request = async () => void (await client.accounts.transactions(token.address));
    let compiling = true;
    let background: Promise<void> | undefined;
    const compileOn = async () => {
      while (compiling) await verifier.verify(commented, onChain);
    };
    const result = await bench.compare(
      bench("no compiler at work", request),
      bench(
        "a compiler at work",
        {
          beforeAll() {
            background ??= compileOn();
          },
        },
        request,
      ),
      { iterations: 1_000, time: 0, warmupIterations: 200, warmupTime: 0 },
    );
    compiling = false;
    await background;
    await served.close();
    for (const name of ["no compiler at work", "a compiler at work"] as const) {
      const { p50, p99 } = result.get(name).latency;
      console.info(
        `50 transactions over HTTP, ${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      );
    }
  }, 300_000);
});
