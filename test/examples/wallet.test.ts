// The recipe for wagmi: shows the transactions of the account that a wallet has connected.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { custom } from "viem";
import { expect, test } from "vitest";
import { createConfig, WagmiProvider } from "wagmi";
import { connect } from "wagmi/actions";
import { foundry } from "wagmi/chains";
import { mock as mockWallet } from "wagmi/connectors";
import { transactionsQuery, Wallet } from "../../examples/recipes/wallet.tsx";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob", balance: coins(1) });
builder.transfer(alice, bob, coins(2));
builder.transfer(bob, alice, coins(1));
builder.mine();

function setUp() {
  const mock = createExplorer({ chain: builder });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const config = createConfig({
    chains: [foundry],
    connectors: [mockWallet({ accounts: [bob] })],
    storage: null,
    // The node is not asked here: a server renders no effects.
    transports: { [foundry.id]: custom({ request: () => new Promise(() => {}) }) },
  });
  const queries = new QueryClient();
  const show = () =>
    renderToString(
      createElement(
        WagmiProvider,
        { config, reconnectOnMount: false },
        createElement(
          QueryClientProvider,
          { client: queries },
          createElement(Wallet, { explorer }),
        ),
      ),
    );
  return { mock, explorer, config, queries, show };
}

test("asks for a wallet, and sends the explorer nothing, while none is connected", () => {
  const { mock, show } = setUp();
  expect(show()).toBe("<p>Connect a wallet</p>");
  expect(mock.journal.count()).toBe(0);
});

test("shows what the connected account sent and received", async () => {
  const { config, explorer, queries, show } = setUp();
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error("no connector");
  const { accounts } = await connect(config, { connector });
  expect(accounts.map((account) => account.toLowerCase())).toEqual([bob]);
  expect(show()).toBe("<ul></ul>");
  await queries.prefetchQuery(transactionsQuery(explorer, accounts[0]));
  expect(show().replaceAll("<!-- -->", "")).toBe("<ul><li>sent 1</li><li>received 2</li></ul>");
});

test("loads the transactions again at a new block", async () => {
  const { explorer, queries, mock } = setUp();
  await queries.fetchQuery(transactionsQuery(explorer, bob, 1n));
  await queries.fetchQuery({ ...transactionsQuery(explorer, bob, 1n), staleTime: 60_000 });
  expect(mock.journal.count("A2")).toBe(1);
  await queries.fetchQuery({ ...transactionsQuery(explorer, bob, 2n), staleTime: 60_000 });
  expect(mock.journal.count("A2")).toBe(2);
});
