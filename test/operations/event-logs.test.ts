// L1 names the logs of verified contracts after their events.
import { expect, test } from "vitest";
import { continueChain, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { knownIn } from "../support/requests.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

test("logs of a source that is verified later, or changes, have its names at once, others their bytes", async () => {
  const { chain } = buildSampleChain();
  const own = createExplorer({ chain });
  const client = new ExplorerClient({ baseUrl: own.baseUrl, apiKey: "any", fetch: own.fetch });
  const found = knownIn(chain).accounts.find(
    (address) =>
      chain.code(address) !== "0x" && chain.logs({ address, topics: [], operand: "and" }).count > 0,
  );
  const address = found as NonNullable<typeof found>;
  const logNames = async () =>
    new Set((await client.eventLogs.list({ address })).data.map(({ log_name }) => log_name));
  const source = { contractName: "Token", source: "contract Token {}" };
  const [log] = chain.logs({ address, topics: [], operand: "and" }).slice(0, 1);
  const inputs = ["address", "address", "uint256"].map((type, index) => ({
    ...{ name: "", type },
    indexed: index + 1 < (log?.topics.length ?? 0),
  }));
  const transfer = { type: "event", name: "Transfer", inputs };
  continueChain(chain).verify(address, { ...source, abi: [] });
  expect(await logNames()).toEqual(new Set([null]));
  continueChain(chain).verify(address, { ...source, abi: [transfer] });
  expect(await logNames()).toContain("Transfer");
});
