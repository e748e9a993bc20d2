// What a verification costs beside the compiler it needs, and what other requests notice of it.
import { createRequire } from "node:module";
import { afterAll, expect, test } from "vitest";
import { createExplorer, createVerifier, loadChain, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { DEVNET, describeWith } from "../support/chains.ts";
import { contracts, sources, submissionOf } from "../verification/devnet.ts";
import { median } from "./median.ts";

const warmUp = 3;
const rounds = 7;

describeWith(DEVNET, "verification", () => {
  // An ERC-20 of OpenZeppelin with permit and burning: 179 kB of source, 4 kB of code.
  const token = sources().find(({ name }) => name === "AuroraToken");
  if (token === undefined) throw new Error("the devnet has no AuroraToken");
  const onChain = contracts()(token.address);
  // A source that was not compiled yet: the verifier keeps its latest compilations.
  let sourcesMade = 0;
  const fresh = () => `${token.source}\n// ${sourcesMade++}`;

  const solc = createRequire(import.meta.url)("solc-0.8.28");
  const input = (source: string) => ({
    language: "Solidity",
    sources: { "AuroraToken.sol": { content: source } },
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

  // Processor time, each in turn: elapsed times of compilations say more about what else the machine does.
  test("an ERC-20", async () => {
    // What the compiler wrote in this round is on the chain, so that the metadata is the same.
    let source = fresh();
    let deployed = onChain;
    const compileOnce = () => {
      source = fresh();
      const { contracts } = JSON.parse(solc.compile(JSON.stringify(input(source))));
      const { bytecode, deployedBytecode } = contracts["AuroraToken.sol"].AuroraToken.evm;
      deployed = {
        address: token.address,
        runtimeCode: `0x${deployedBytecode.object}`,
        creationCodes: [`0x${bytecode.object}${token.constructorArguments.replace(/^0x/, "")}`],
      };
    };
    const verify = (changed: () => Partial<typeof token>, outcome: RegExp) => async () => {
      const { message } = await verifier.verify(submissionOf({ ...token, ...changed() }), deployed);
      expect(message).toMatch(outcome);
    };
    const candidates: Record<string, () => unknown> = {
      "one compile by solc": compileOnce,
      "verified, the metadata is the same": verify(() => ({ source }), /; so does the metadata$/),
      "verified, a comment is another": verify(
        () => ({ source: fresh() }),
        /; the metadata hash differs$/,
      ),
      "refused, other runs": verify(() => ({ source, runs: 1 }), /^Runtime code differs/),
    };
    const spent = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
    for (let round = -warmUp; round < rounds; round++) {
      for (const [name, run] of Object.entries(candidates)) {
        const before = process.cpuUsage();
        await run();
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) spent.get(name)?.push((user + system) / 1000);
      }
    }
    const once = median(spent.get("one compile by solc") ?? []);
    for (const [name, times] of spent) {
      const ms = median(times);
      console.info(
        `${name}: ${ms.toFixed(0)} ms of processor time, ${(ms / once).toFixed(2)} compiles`,
      );
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
      while (compiling) await verifier.verify(submissionOf({ ...token, source: fresh() }), onChain);
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
