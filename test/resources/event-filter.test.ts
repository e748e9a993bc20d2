// Events and their arguments as topics: as viem encodes them, and refused where they select
// nothing.
import { encodeEventTopics, parseAbiItem } from "viem";
import { describe, expect, it, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { type EventInput, topicsOfEvent } from "../../src/resources/event-filter.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const words =
  "event Put(address indexed who, uint96 indexed id, string indexed label, bytes4 kind)";
const item = parseAbiItem(words);
const who = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const itemOf = (inputs: readonly EventInput[]) => ({ type: "event", name: "Set", inputs }) as const;
const listed = (topics: object) =>
  ["topic_0", "topic_1", "topic_2", "topic_3"].map((name) => Object(topics)[name] ?? null);

describe("an event with arguments", () => {
  it.each([{}, { who }, { id: 5n }, { label: "a label" }, { who, id: 2n ** 96n - 1n, label: "" }])(
    "has the topics that viem makes of %o",
    (args) => {
      const topics = [
        ...encodeEventTopics({ abi: [item], args: args as { who?: `0x${string}` } }),
        null,
        null,
        null,
      ].slice(0, 4);
      expect(listed(topicsOfEvent(words, args))).toEqual(topics);
      expect(listed(topicsOfEvent(item, args))).toEqual(topics);
    },
  );

  it("takes values in order where a signature has no names, and skips null", () => {
    const { topic_0, topic_2 } = topicsOfEvent("Transfer(address,address,uint256)", [null, who]);
    expect(topicsOfEvent("Transfer(address,address,uint256)", undefined)).toEqual({ topic_0 });
    expect(topic_2).toBe(`0x${"0".repeat(24)}${who.slice(2).toLowerCase()}`);
  });

  it.each([
    ["event Set(int8 indexed n)", { n: -1 }, `0x${"f".repeat(64)}`],
    ["event Set(bool indexed b)", { b: true }, `0x${"0".repeat(63)}1`],
    ["event Set(bytes2 indexed b)", { b: "0x12AB" }, `0x12ab${"0".repeat(60)}`],
    ["event Set(uint8[] indexed b)", { b: `0x${"AB".repeat(32)}` }, `0x${"ab".repeat(32)}`],
    [
      itemOf([{ name: "t", type: "tuple", indexed: true, components: [{ type: "uint" }] }]),
      { t: `0x${"ab".repeat(32)}` },
      `0x${"ab".repeat(32)}`,
    ],
  ])("encodes %s of %o", (event, args, topic) => {
    expect(topicsOfEvent(event, args).topic_1).toBe(topic);
  });

  it("without a name in its logs has its arguments from the first topic on", () => {
    const anonymous = { ...item, anonymous: true as const };
    const [, first, second, third] = encodeEventTopics({ abi: [item], args: { who, id: 5n } });
    expect(listed(topicsOfEvent(anonymous, { who, id: 5n }))).toEqual([
      ...[first, second, third ?? null],
      null,
    ]);
  });

  it("has the hash of the members of a tuple", () => {
    const inputs = [
      {
        ...{ name: "moves", type: "tuple[]", indexed: false },
        components: [
          { name: "to", type: "address" },
          { name: "many", type: "uint256" },
        ],
      },
    ] as const;
    const alias = itemOf([{ type: "tuple", components: [{ type: "uint" }, { type: "int[]" }] }]);
    const { topic_0 } = topicsOfEvent(alias, undefined);
    expect(topic_0).toBe(
      encodeEventTopics({ abi: [parseAbiItem("event Set((uint a, int[] b) c)")] })[0],
    );
    const moved = { type: "event", name: "Moved", inputs } as const;
    expect(listed(topicsOfEvent(moved, undefined))[0]).toBe(encodeEventTopics({ abi: [moved] })[0]);
  });

  it.each([
    [words, { kind: "0x12345678" }, ["args", "kind"]],
    [words, { nobody: 5 }, ["args", "nobody"]],
    [words, { who: "0x12" }, ["args", "who"]],
    [words, { id: 2n ** 96n }, ["args", "id"]],
    [words, { id: -1 }, ["args", "id"]],
    [words, 5, ["args"]],
    ["event Set(uint256 n)", { n: 1 }, ["args"]],
    [itemOf([{ name: "n", type: "uint256" }]), [1], ["args"]],
    ["Transfer(address,address,uint256)", { from: who }, ["args"]],
    ["Transfer(address,address)", [null, null, who], ["args"]],
    ["Transfer", [], ["event"]],
    [{ type: "function" }, {}, ["event"]],
  ])("is refused: %o with %o", (event, args, path) => {
    expect(() => topicsOfEvent(event as string, args)).toThrow(
      expect.objectContaining({ code: "PARAMETER", issues: [expect.objectContaining({ path })] }),
    );
  });
});

test("event logs are selected by an event and its arguments", async () => {
  const { bob, builder, gold } = buildSampleChain();
  const { baseUrl, fetch } = createExplorer({ chain: builder });
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const event = "event Transfer(address indexed from, address indexed to, uint256 value)";
  const query = { address: gold.address, event, args: { to: bob } };
  const logs = await explorer.eventLogs.list(query).collect();
  const transfers = await explorer.tokens.transfers(gold.address, { to: bob }).collect();
  expect(logs.length).toBeGreaterThan(0);
  expect(logs.map((log) => log.log_index)).toEqual(transfers.map((log) => log.log_index));
  const both = explorer.eventLogs.list({ ...query, topic_0: "Transfer(address,address,uint256)" });
  await expect(both.collect()).rejects.toMatchObject({ issues: [{ path: ["topic_0"] }] });
});
