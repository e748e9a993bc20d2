// L1 names the logs of verified contracts after their events: compared with viem, which reads the same ABIs.
import { type AbiEvent, toEventSelector } from "viem";
import { expect, test } from "vitest";
import { continueChain, createExplorer } from "../../../mocks/index.ts";
import { loadDemo } from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { knownIn } from "../../support/requests.ts";
import { buildSampleChain } from "../../support/sample-chain.ts";

const chain = await loadDemo({ verified: true });
const { baseUrl, fetch } = createExplorer({ chain });
const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });

/** The event of a log in an ABI, as viem decodes it. */
const named = (abi: readonly unknown[], topics: readonly (string | null)[]) =>
  (abi as readonly AbiEvent[]).find(
    (entry) =>
      entry.type === "event" &&
      !entry.anonymous &&
      toEventSelector(entry) === topics[0] &&
      entry.inputs.filter(({ indexed }) => indexed).length + 1 === topics.length,
  );

test("every log of the demo chain's verified contracts has the name viem gives it", async () => {
  const names = new Map<string | null, number>();
  for (const address of knownIn(chain).accounts) {
    const { abi = [] } = chain.verified(address) ?? {};
    for await (const log of explorer.eventLogs.list({ address })) {
      const topics = [log.topic_0, log.topic_1, log.topic_2, log.topic_3];
      const event = named(abi, topics.slice(0, log.topics_count));
      expect(log.log_name).toBe(event?.name ?? null);
      expect(log.log_abi === null).toBe(event === undefined);
      if (event) expect(JSON.parse(String(log.log_abi))).toMatchObject(event);
      names.set(log.log_name, (names.get(log.log_name) ?? 0) + 1);
    }
  }
  expect(names.get("Deposit")).toBe(40);
  expect(names.get("Sold")).toBe(3);
  expect(names.get(null)).toBeGreaterThan(0);
});

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
