// The name, symbol, decimals and standard of a token, and the requests that finding them takes.
import { expect, test } from "vitest";
import { buildChain, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

test("a token is described by its newest transfer, once", async () => {
  const { art, builder, gold } = buildSampleChain();
  const mock = createExplorer({ chain: builder });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const { data: coin, response } = await explorer.tokens.info(gold.address).withResponse();
  expect(coin).toMatchObject({ standard: "mrc20", token_address: gold.address });
  expect(await response.text()).toContain(gold.address);
  const before = mock.journal.entries.length;
  const again = await explorer.tokens.info(gold.address).withResponse();
  expect(again.data).toEqual(coin);
  expect(await again.response.text()).toBe("");
  expect(mock.journal.entries).toHaveLength(before);
  const collection = await explorer.tokens.info(art.address);
  expect(mock.journal.entries.length - before).toBeLessThanOrEqual(3);
  expect(collection).toMatchObject({ standard: "mrc721", decimals: null });
  for (const info of [coin, collection]) {
    expect(info.name).toEqual(expect.any(String));
    expect(info.symbol).toEqual(expect.any(String));
  }
  expect(coin.decimals).toEqual(expect.any(Number));
});

test("a token whose newest transfer burnt some is described by the records of the sender", async () => {
  const { alice, builder, gold } = buildSampleChain();
  gold.burn(alice, 1n);
  builder.mine();
  const mock = createExplorer({ chain: builder });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const { name, symbol, decimals } = builder.chain.token(gold.address) ?? {};
  expect(await explorer.tokens.info(gold.address)).toMatchObject({ name, symbol, decimals });
  // Not every explorer lists transfers of the zero address.
  expect(mock.journal.entries.at(-1)?.target).toContain(alice);
});

test("the combined list of tokens has the names of collections, if asked to", async () => {
  const { art, bob, builder, gold } = buildSampleChain();
  const mock = createExplorer({ chain: builder });
  const { baseUrl, fetch } = mock;
  const { accounts } = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const named = await accounts.tokens(bob, { names: true, limit: 1 }).collect();
  const [collection] = (await accounts.mrc721Tokens(bob)).data;
  expect(collection?.token_name).toEqual(expect.any(String));
  const { token_name, token_symbol } = Object(collection);
  const plain = await accounts.tokens(bob).collect();
  expect(plain.map(({ token_address }) => token_address)).toEqual(
    expect.arrayContaining([art.address, gold.address]),
  );
  const expected = plain.map((token) =>
    token.standard === "mrc721" ? { ...token, token_name, token_symbol } : token,
  );
  expect(named).toHaveLength(expected.length);
  expect(named).toEqual(expect.arrayContaining(expected));
  mock.journal.clear();
  const page = await accounts.tokens(bob, { names: true });
  expect(page.results.mrc_721.results).toMatchObject([{ token_name }]);
  expect(mock.journal.entries).toHaveLength(2);
  mock.journal.clear();
  await accounts.tokens(bob, { names: false });
  expect(mock.journal.entries).toHaveLength(1);
  mock.faults.add({ fault: "status", status: 503, operation: "A8", once: true });
  const refused = accounts.tokens(bob, { names: true }, { retry: 0 });
  await expect(refused.collect()).rejects.toMatchObject({ httpStatus: 503 });
  const wrong = accounts.tokens(bob, { names: "yes" as never });
  await expect(wrong.collect()).rejects.toMatchObject({ code: "PARAMETER" });
});

test("nothing is known of an address without transfers", async () => {
  const builder = buildChain();
  const { baseUrl, fetch } = createExplorer({ chain: builder });
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const token_address = "0x00000000000000000000000000000000000000aa";
  const { data, response } = await explorer.tokens.info(token_address).withResponse();
  expect(data).toEqual({ token_address, name: null, symbol: null, decimals: null, standard: null });
  expect(response.status).toBe(200);
});
