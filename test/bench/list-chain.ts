// A chain on which every list has several pages of 50, and the requests of those pages.
import { buildChain, coins } from "../../mocks/index.ts";

const LIMIT = 50;
/** Pages of a list that differ, so that no page is asked for twice in a row. */
const PAGES = 8;
const RECORDS = LIMIT * PAGES;

export function listChain() {
  const builder = buildChain({ freeGas: true });
  const [alice, bob] = [builder.account({ balance: coins(1_000) }), builder.account()];
  const router = builder.deploy(alice).address;
  const hub = builder.call(alice, {
    to: builder.deploy(alice).address,
    does: (frame) => {
      for (let call = 0; call < RECORDS; call++) frame.call({ to: bob });
    },
  });
  builder.mine({ gasLimit: 100_000_000 });
  const art = builder.deployMRC721(alice, { name: "Art", symbol: "ART" });
  const tokens = Array.from({ length: 2 * LIMIT }, (_, nth) => ({
    gold: builder.deployMRC20(alice, { name: `Gold ${nth}`, symbol: "GLD", decimals: 18 }),
    art: builder.deployMRC721(alice, { name: `Art ${nth}` }),
  }));
  builder.mine({ gasLimit: 100_000_000 });
  for (let nth = 0; nth < RECORDS; nth++) {
    const token = tokens[nth % tokens.length];
    token?.gold.mint(alice, 10n ** 18n);
    token?.art.mint(alice, BigInt(nth));
    art.mint(nth % PAGES === 0 ? bob : alice, BigInt(nth), { uri: `ipfs://art/${nth}` });
    builder.call(alice, { to: router, value: 1n, does: (frame) => void frame.call({ to: bob }) });
    builder.mine({ miner: alice });
  }
  const pages = (path: string, length = PAGES) =>
    Array.from(
      { length },
      (_, nth) => `${path}${path.includes("?") ? "&" : "?"}limit=${LIMIT}&offset=${nth * LIMIT}`,
    );
  const of = `/v1/accounts/${alice}`;
  const lists = {
    A2: pages(`${of}/transactions`),
    A3: pages(`/v1/accounts/${bob}/internal-transactions`),
    A4: pages(`${of}/token-transfer/mrc20`),
    A5: pages(`${of}/token-transfer/mrc721`),
    A6: pages(`${of}/tokens`, 2),
    A7: pages(`${of}/tokens/mrc20`, 2),
    A8: pages(`${of}/tokens/mrc721`, 2),
    A9: pages(`/v1/accounts/${art.address}/tokens/inventory`),
    A10: pages(`${of}/mined-blocks`),
    X3: pages(`/v1/transactions/${hub.hash}/internal-transactions`),
    L1: pages(`/v1/event-logs?address=${art.address}`),
    // Without paging: the 50 tokens of a holder.
    T3: [`/v1/tokens/${art.address}/inventory?address_hash=${bob}`],
  } as const;
  const small = {
    B1: ["/v1/blocks/7"],
    X1: [`/v1/transactions/${hub.hash}/transaction-status`],
  } as const;
  return { chain: builder.chain, targets: { ...small, ...lists } };
}
