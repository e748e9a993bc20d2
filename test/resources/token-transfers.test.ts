// All transfers of a token, from its event logs: of both standards, of early contracts, and by
// holder.
import { describe, expect, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { type EventLogWire, ExplorerClient } from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, issuesOf, json, serve, success, unsent } from "../http/server.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const { chain, alice, art, bob, gold } = buildSampleChain();
const mock = createExplorer({ chain });
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });

describe("the transfers of a token", () => {
  test("are those that its holders' lists have, with amounts", async () => {
    const transfers = await explorer.tokens.transfers(gold.address, { limit: 7 }).collect();
    const listed = await explorer.accounts.mrc20Transfers(alice).collect();
    const of = ({
      transaction_hash,
      sender,
      receiver,
      value,
      token_address,
      timestamp,
    }: (typeof listed)[number]) => ({
      transaction_hash,
      sender,
      receiver,
      value,
      token_address,
      timestamp,
    });
    expect(transfers).toHaveLength(31);
    expect(transfers).toMatchObject(listed.map(of));
    expect(transfers.map(({ token_id }) => token_id)).toEqual(transfers.map(() => null));
  });

  test("have ids where the token has", async () => {
    const [newest] = await explorer.tokens.transfers(art.address).collect({ max: 1 });
    expect(newest).toMatchObject({ receiver: bob, value: null, token_id: 29n ** 40n });
  });

  test("are selected by holder", async () => {
    const to = await explorer.tokens.transfers(art.address, { to: bob }).collect();
    expect(new Set(to.map(({ receiver }) => receiver))).toEqual(new Set([bob]));
    expect(to).toHaveLength(15);
    expect(await explorer.tokens.transfers(gold.address, { from: bob }).collect()).toEqual([]);
  });
});

const word = (value: bigint) => value.toString(16).padStart(64, "0");

test.each([
  ["indexes nothing", [], [1n, 2n, 3n], { value: 3n, token_id: null }],
  ["indexes the sender", [1n], [2n, 3n], { value: 3n, token_id: null }],
  ["logs too little", [1n, 2n], [], { value: null, token_id: null }],
])("a contract that %s", async (_, indexed, data, expected) => {
  const topics = indexed.map((value) => `0x${word(value)}` as const);
  const log = {
    ...{ timestamp: "2024-01-01T00:00:00Z", address: ADDRESS, transaction_hash: HASH },
    ...{ method: null, log_name: null, log_abi: null, address_type: null, address_extra: null },
    ...{ transaction_index: "0", log_index: "0", topics_count: `${1 + topics.length}` },
    ...{ topic_0: HASH, topic_1: topics[0] ?? null, topic_2: topics[1] ?? null, topic_3: null },
    data: `0x${data.map(word).join("")}`,
  } as EventLogWire;
  const server = await serve((_asked, response) =>
    json(response, success({ count: "1", data: [log] })),
  );
  const {
    data: [transfer],
  } = await clientOf(server).tokens.transfers(ADDRESS);
  expect(transfer).toMatchObject({
    sender: `0x${word(1n).slice(24)}`,
    receiver: `0x${word(2n).slice(24)}`,
    ...expected,
  });
});

test("topics are events by name, too, in lists and watches", async () => {
  const topic_0 = "Transfer(address,address,uint256)";
  const query = { address: gold.address, topic_0 } as const;
  expect(await explorer.eventLogs.list(query).collect()).toHaveLength(31);
  for await (const log of explorer.eventLogs.watch({ ...query, from: 0n })) {
    expect(log.topic_0).toBe("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
    break;
  }
  const mistyped = explorer.eventLogs.list({ ...query, topic_0: "Transfer(adress)" });
  await expect(mistyped.collect()).rejects.toMatchObject({ code: "PARAMETER" });
});

test("a mistyped holder is refused", async () => {
  const from = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6C65";
  const call = () => clientOf({ url: "" }, unsent).tokens.transfers(ADDRESS, { from });
  expect(await issuesOf(async () => call().collect())).toMatchObject({ paths: ["topic_1"] });
  const named = () =>
    clientOf({ url: "" }, unsent).tokens.transfers(ADDRESS, { to: "bob" as never });
  expect(await issuesOf(async () => named().collect())).toMatchObject({ paths: ["to"] });
});
