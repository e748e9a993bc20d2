// What a verification costs beside the compiler it needs, and what other requests notice of it.
import { createRequire } from "node:module";
import { afterAll, expect, test } from "vitest";
import { createExplorer, createVerifier, loadChain, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { DEVNET, describeWith } from "../support/chains.ts";
import { contracts, type DevnetSource, sources, submissionOf } from "../workbench/verify/devnet.ts";
import { median } from "./median.ts";

const warmUp = 3;
const rounds = 7;

/** AuroraToken: an ERC-20 of OpenZeppelin with permit and burning, 179 kB of source, 4 kB of code. LegacyNft: an ERC-721, 46 kB of source. */
function sourceOf(name: string) {
  const found = sources().find((source) => source.name === name);
  if (found === undefined) throw new Error(`the devnet has no ${name}`);
  return found;
}

/** What the compiler is asked for: one contract and no more than is compared. */
const inputOf = ({ name, optimizer, runs, evmVersion }: DevnetSource, source: string) => ({
  language: "Solidity",
  sources: { [`${name}.sol`]: { content: source } },
  settings: {
    optimizer: { enabled: optimizer, runs },
    ...(evmVersion === null ? {} : { evmVersion }),
    outputSelection: {
      [`${name}.sol`]: { [name]: ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] },
    },
  },
});

describeWith(DEVNET, "verification", () => {
  // A source that was not compiled yet: the verifier keeps its latest compilations.
  let sourcesMade = 0;
  const fresh = (source: string) => `${source}\n// ${sourcesMade++}`;
  const verifier = createVerifier();
  afterAll(() => verifier.close());

  // Processor time, each in turn: elapsed times of compilations say more about what else the machine does.
  test.each([
    ["AuroraToken", "solc-0.8.28"],
    ["LegacyNft", "solc-0.5.17"],
  ])(
    "%s by %s",
    async (name, compiler) => {
      const token = sourceOf(name);
      const solc = createRequire(import.meta.url)(compiler);
      // What the compiler wrote in this round is on the chain, so that the metadata is the same.
      let source = fresh(token.source);
      let deployed = contracts()(token.address);
      const compileOnce = () => {
        source = fresh(token.source);
        const { contracts } = JSON.parse(solc.compile(JSON.stringify(inputOf(token, source))));
        const { bytecode, deployedBytecode } = contracts[`${name}.sol`][name].evm;
        deployed = {
          address: token.address,
          runtimeCode: `0x${deployedBytecode.object}`,
          creationCodes: [`0x${bytecode.object}${token.constructorArguments.replace(/^0x/, "")}`],
        };
      };
      const verify = (changed: () => Partial<typeof token>, outcome: RegExp) => async () => {
        const { message } = await verifier.verify(
          submissionOf({ ...token, ...changed() }),
          deployed,
        );
        expect(message).toMatch(outcome);
      };
      const candidates: Record<string, () => unknown> = {
        "one compile by solc": compileOnce,
        "verified, the metadata is the same": verify(() => ({ source }), /; so does the metadata$/),
        "verified, a comment is another": verify(
          () => ({ source: fresh(token.source) }),
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
          `${compiler}, ${name}: ${ms.toFixed(0)} ms of processor time, ${(ms / once).toFixed(2)} compiles`,
        );
      }
    },
    300_000,
  );

  test("another request meanwhile", async ({ bench }) => {
    const token = sourceOf("AuroraToken");
    const onChain = contracts()(token.address);
    const explorer = createExplorer({ chain: await loadChain(DEVNET), verifier });
    const served = await serveExplorer(explorer);
    const client = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
    const request = async () => void (await client.accounts.transactions(token.address));
    let compiling = true;
    let background: Promise<void> | undefined;
    const compileOn = async () => {
      while (compiling)
        await verifier.verify(submissionOf({ ...token, source: fresh(token.source) }), onChain);
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
