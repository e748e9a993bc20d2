// The limit of an answer: a page whose texts are too long is refused before it is written, with a smaller limit.
import { expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { operations } from "../../src/contract/index.ts";

const MIB = 2 ** 20;

test("a page that is too long names a limit that fits, over every API", async () => {
  const story = buildChain();
  const alice = story.account({ name: "alice", balance: coins(10) });
  const vault = story.deploy(alice).address;
  const input = `0x${"ab".repeat(2 * MIB)}` as const;
  for (let count = 0; count < 9; count++) {
    story.call(alice, { to: vault, input, does: (frame) => frame.emit([1n], input) });
    story.mine({ gasLimit: 200_000_000 });
  }
  const served = await serveExplorer(createExplorer({ chain: story }));
  const ask = async (target: string) => {
    const response = await fetch(`${served.url}${target}`, { headers: { "api-key": "k" } });
    return { status: response.status, text: await response.text() };
  };
  for (const list of [
    `/v1/accounts/${alice}/transactions?input=true`,
    `/v1/event-logs?address=${vault}`,
  ]) {
    const refused = await ask(list);
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/limit=7"/)]);
    expect((await ask(`${list}&limit=7`)).status).toBe(200);
  }
  const tool = await ask(`/etherscan/api?apikey=k&module=account&action=txlist&address=${alice}`);
  expect(JSON.parse(tool.text)).toMatchObject({
    status: "0",
    result: expect.stringMatching(/such as 8$/),
  });
  await served.close();
});

test("a holder's tokens without pages name the operation that has pages", async () => {
  const story = buildChain();
  const alice = story.account({ name: "alice", balance: coins(10) });
  const art = story.deployMRC721(alice, { name: "Art", symbol: "ART" });
  const uri = "x".repeat(16_000);
  for (let id = 1n; id <= 2100n; id++) {
    art.mint(alice, id, { uri });
    if (id % 300n === 0n) story.mine();
  }
  const mock = createExplorer({ chain: story });
  const response = await mock.fetch(
    `${mock.baseUrl}${operations.T3.path.replace("{contract_hash}", art.address)}?address_hash=${alice}`,
    { headers: { "api-key": "k" } },
  );
  expect([response.status, (await response.json()).message]).toEqual([
    ...[400, expect.stringContaining("such as limit=2091 of accounts.inventory (A9)")],
  ]);
});
