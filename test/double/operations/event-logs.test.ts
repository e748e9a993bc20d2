// L1 names the logs of verified contracts after their events: compared with viem, which reads the same ABIs.
import { type AbiEvent, decodeEventLog, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import {
  buildChain,
  coins,
  continueChain,
  createExplorer,
  eventTopic,
} from "../../../mocks/index.ts";
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

test("log_abi decodes the log", async () => {
  const { data } = await explorer.eventLogs.list({
    address: "0x8464135c8f25da09e49bc8782676a84730c318bc",
    topic_0: eventTopic("Withdrawal(address,uint256)"),
  });
  const [{ log_abi, data: args, topic_0, topic_1 } = {}] = data;
  const abi = [JSON.parse(String(log_abi))] as AbiEvent[];
  const topics = [topic_0, topic_1] as [`0x${string}`, `0x${string}`];
  expect(decodeEventLog({ abi, data: args ?? "0x", topics })).toEqual({
    eventName: "Withdrawal",
    args: { src: expect.stringMatching(/^0x/), wad: expect.any(BigInt) },
  });
});

describe("a log of a contract on a built chain", () => {
  const transfer = eventTopic("Transfer(address,address,uint256)");
  const input = (type: string, indexed = false) => ({ name: "", type, indexed });
  const event = (name: string, ...inputs: object[]) => ({ type: "event", name, inputs });

  /** The names of the logs that a contract with this ABI emits. */
  async function namesOf(abi: readonly unknown[], ...logs: readonly (readonly `0x${string}`[])[]) {
    const story = buildChain();
    const alice = story.account({ balance: coins(1) });
    const { address } = story.deploy(alice);
    story.mine();
    story.verify(address, { abi });
    story.call(alice, { to: address, does: (frame) => logs.map((topics) => frame.emit(topics)) });
    story.mine();
    const { baseUrl, fetch } = createExplorer({ chain: story });
    const client = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
    const names = (await client.eventLogs.list({ address })).data.map(({ log_name }) => log_name);
    return names.reverse();
  }

  test("is identified by its topic and the number of indexed parameters", async () => {
    const [a, b, c] = ["0x1", "0x2", "0x3"] as const;
    const coin = event(
      "Transfer",
      input("address", true),
      input("address", true),
      input("uint256"),
    );
    expect(
      await namesOf([coin], [transfer, a, b], [transfer, a, b, c], [transfer], [a], []),
    ).toEqual(["Transfer", null, null, null, null]);
    const bare = event("Transfer", input("address"), input("address"), input("uint256"));
    expect(await namesOf([coin, bare], [transfer], [transfer, a, b])).toEqual([
      "Transfer",
      "Transfer",
    ]);
  });

  test("with tuples is identified by their components", async () => {
    const order = { ...input("tuple[]"), components: [input("address"), input("uint8[2]")] };
    const deep = { ...input("tuple"), components: [order, input("bytes")] };
    const topic = eventTopic("Filled(((address,uint8[2])[],bytes),function)");
    expect(await namesOf([event("Filled", deep, input("function"))], [topic])).toEqual(["Filled"]);
  });

  test("that is anonymous has no name, even where its first topic is that of the event", async () => {
    const anonymous = { ...event("Data", input("uint256")), anonymous: true };
    expect(await namesOf([anonymous], [eventTopic("Data(uint256)")])).toEqual([null]);
  });

  test("has no name where the ABI makes no sense", async () => {
    const nonsense = [null, 7, "event", [], { type: "event" }, event("Transfer", [], {}), {}];
    const odd = [
      { type: "event", name: 7, inputs: 7 },
      { type: "event", name: "Transfer" },
    ];
    expect(await namesOf([...nonsense, ...odd], [transfer])).toEqual([null]);
  });
});
