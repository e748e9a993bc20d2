// Many ids in one event (ERC-2309), and tokens that are neither MRC20 nor MRC721 (ERC-1155): on a node.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { items } from "../../../mocks/double/chain/listing.ts";
import type { Address } from "../../../mocks/double/chain/records.ts";
import { createExplorer, type Follower, followNode } from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { deploy, type OddContract } from "./odd-contracts.ts";

let node: Anvil;
let follower: Follower;
let [boss, friend]: Address[] = [];
let batch: OddContract;
let multi: OddContract;

beforeAll(async () => {
  node = await startAnvil();
  [boss, friend] = (await node.ask("eth_accounts")) as Address[];
  batch = await deploy(node, boss as Address, "Batch");
  await batch.run(boss as Address, "mintMany", boss, 1n, 80n);
  await batch.run(boss as Address, "transferFrom", boss, friend, 40n);
  await batch.run(boss as Address, "mintMany", friend, 2n ** 200n, 3n);
  multi = await deploy(node, boss as Address, "Multi");
  await multi.run(boss as Address, "mint", friend, 1n, 5n);
  follower = await followNode(node.url, { interval: 60_000 });
});
afterAll(async () => {
  await follower.close();
  await node.stop();
});

const client = () => {
  const { baseUrl, fetch } = createExplorer({ chain: follower, conformance: "throw" });
  return new ExplorerClient({ baseUrl, apiKey: "any", fetch });
};
const range = (from: bigint, count: number) =>
  Array.from({ length: count }, (_, index) => from + BigInt(index));

describe("a batch mint (ERC-2309)", () => {
  test("shows every id, with its owner", async () => {
    const explorer = client();
    const all = await explorer.accounts.inventory(batch.address).collect();
    expect(all.map(({ token_id }) => token_id)).toEqual([
      ...range(1n, 80),
      ...range(2n ** 200n, 3),
    ]);
    const ids = async (holder: Address | undefined) => {
      const { data } = await explorer.tokens.inventory(batch.address, holder as Address);
      return data.map(({ token_id }) => token_id);
    };
    expect(await ids(boss)).toEqual(range(1n, 80).filter((id) => id !== 40n));
    expect(await ids(friend)).toEqual([40n, ...range(2n ** 200n, 3)]);
    expect(await explorer.tokens.totalSupply(batch.address)).toBe(83n);
    expect(await explorer.tokens.holderCount(batch.address)).toBe(2);
  });

  test("shows a transfer of each id, in pages as in whole", async () => {
    const explorer = client();
    const whole = await explorer.accounts.mrc721Transfers(boss as Address, { limit: 1000 });
    expect(whole.count).toBe(81);
    expect(whole.data.filter(({ sender }) => /^0x0+$/.test(sender))).toHaveLength(80);
    const pages = [];
    for (let offset = 0; offset < 81; offset += 7)
      pages.push(
        ...(await explorer.accounts.mrc721Transfers(boss as Address, { limit: 7, offset })).data,
      );
    expect(pages).toEqual(whole.data);
    const { chain: of } = createExplorer({ chain: follower });
    const moved = items(of.transfers(boss as Address, "mrc721", {})).map(({ value }) => value);
    expect(moved).toEqual([...range(1n, 80), 40n]);
  });
});

test("tokens of ERC-1155 are in no list of MRC20 or MRC721, only in the logs", async () => {
  const explorer = client();
  const holder = friend as Address;
  expect(await explorer.accounts.mrc20Transfers(holder).collect()).toEqual([]);
  const lists = await Promise.all([
    explorer.accounts.mrc20Tokens(holder).collect(),
    explorer.accounts.mrc721Tokens(holder).collect(),
  ]);
  expect(lists.flat().map(({ token_address }) => token_address)).toEqual([batch.address]);
  await expect(explorer.tokens.totalSupply(multi.address)).rejects.toMatchObject({
    httpStatus: 404,
  });
  expect(await explorer.eventLogs.list({ address: multi.address }).collect()).toHaveLength(2);
});
