// A world of contracts that do not say what they do: the explorer's answers are the node's own, fresh and followed.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import { createExplorer, type Follower, followNode, serveExplorer } from "../../../mocks/node.ts";
import type { OperationId } from "../../../src/contract/index.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { type Raw, requestOf } from "../../support/requests.ts";
import { limit, runs } from "../../support/runs.ts";
import { createInspector } from "../page/inspect/served.ts";
import { deploy, type OddContract } from "./odd-contracts.ts";

const PEOPLE = 5;
const IDS = 6;

let node: Anvil;
let people: Address[];
let coins: OddContract[];
let arts: OddContract[];
let world: Readonly<Record<string, OddContract>>;
let clean: unknown;

/** Somebody who never sends anything. */
const STRANGER: Address = "0x00000000000000000000000000000000deadbee5";

beforeAll(async () => {
  node = await startAnvil();
  const accounts = (await node.ask("eth_accounts")) as Address[];
  people = [...accounts.slice(0, PEOPLE - 1), STRANGER];
  const [boss] = accounts as [Address];
  const [one, two] = [await deploy(node, boss, "Coin"), await deploy(node, boss, "CoinV2")];
  const beacon = await deploy(node, boss, "Beacon", [one.address]);
  world = {
    ...{ one, two, beacon },
    rebasing: await deploy(node, boss, "Rebasing"),
    growing: await deploy(node, boss, "Growing"),
    silent: await deploy(node, boss, "Silent"),
    proxied: await deploy(node, boss, "Upgradeable", [one.address], "CoinV2"),
    beaconed: await deploy(node, boss, "Beaconed", [beacon.address], "CoinV2"),
    art: await deploy(node, boss, "Art"),
    batch: await deploy(node, boss, "Batch"),
  };
  world = { ...world, proxy: (world.proxied as OddContract).runAs("Upgradeable") };
  const { rebasing, growing, silent, proxied, beaconed, art, batch } = world;
  coins = [rebasing, growing, silent, proxied, beaconed] as OddContract[];
  arts = [art, batch] as OddContract[];
  // Each is a token from the start: some holder, some supply.
  for (const coin of coins) await coin.run(boss, "mint", boss, 1000n);
  await art?.run(boss, "mint", boss, 0n);
  await batch?.run(boss, "mintMany", boss, 0n, BigInt(IDS));
  clean = await node.ask("evm_snapshot");
}, limit(240_000));
afterAll(() => node.stop());

const person = fc.nat(PEOPLE - 1);
const amount = fc.bigInt(0n, 500n);
const id = fc.bigInt(0n, BigInt(IDS) - 1n);
const coin = fc.constantFrom("rebasing", "growing", "silent", "proxied", "beaconed");
const art = fc.constantFrom("art", "batch");

/** What happens: a function of a contract and its arguments, where a number is a person. */
type Deed = readonly [contract: string, name: string, ...args: (number | bigint | string)[]];

const deed: fc.Arbitrary<Deed | "snapshot" | "revert" | "mine"> = fc.oneof(
  fc.tuple(coin, fc.constantFrom("mint", "transfer"), person, amount),
  fc.tuple(fc.constant("rebasing"), fc.constant("rebase"), fc.bigInt(0n, 300n)),
  fc.tuple(fc.constant("silent"), fc.constant("silentMint"), person, amount),
  fc.tuple(fc.constant("silent"), fc.constant("silentBurn"), person),
  fc.tuple(fc.constantFrom("proxied", "beaconed"), fc.constant("rename")),
  fc.tuple(fc.constantFrom("proxy", "beacon"), fc.constantFrom("one", "two")),
  fc.tuple(art, fc.constantFrom("mint", "take"), person, id),
  fc.tuple(art, fc.constant("transferFrom"), person, person, id),
  fc.tuple(art, fc.constant("vanish"), id),
  fc.tuple(art, fc.constant("swap"), id, id),
  fc.tuple(art, fc.constant("reveal"), fc.constantFrom("ipfs://a/", "")),
  fc.constantFrom("snapshot" as const, "revert" as const, "mine" as const),
);

let snapshots: unknown[] = [];

async function happen(what: Deed | "snapshot" | "revert" | "mine"): Promise<void> {
  if (what === "mine") return void (await node.ask("evm_mine"));
  if (what === "snapshot") return void snapshots.push(await node.ask("evm_snapshot"));
  if (what === "revert") {
    const last = snapshots.pop();
    if (last !== undefined) await node.ask("evm_revert", last);
    return;
  }
  const [boss] = people as [Address];
  const [of, name, ...args] = what;
  const to = world[name]?.address;
  if (to !== undefined) return await world[of]?.run(boss, "upgrade", to);
  // Some fail: a sender without the amount, an id that exists. They are mined all the same.
  await world[of]?.run(
    boss,
    name,
    ...args.map((one) => (typeof one === "number" ? people[one] : one)),
  );
}

/** The `results` of an operation. */
type Get = (id: OperationId, raw: Raw) => Promise<unknown>;

function explorerOf(follower: Follower): Get {
  const mock = createExplorer({ chain: follower, conformance: "throw" });
  return async (operation, raw) => {
    const { target, headers } = requestOf(operation, raw);
    const response = await mock.fetch(`${mock.baseUrl}${target}`, { headers });
    expect([target, response.status, response.headers.get("head-state")]).toEqual([
      target,
      200,
      null,
    ]);
    const body = await response.json();
    return operation === "A6" ? body : body.results;
  };
}

interface TokenId {
  readonly token_id: string;
  readonly token_uri: string;
}
interface Held {
  readonly token_address: Address;
  readonly token_name?: string;
  readonly balance: string;
}
type List<Entry> = { readonly count: string; readonly data: readonly Entry[] };

const idsIn = ({ count, data }: List<TokenId>) => {
  expect(count).toBe(String(data.length));
  return data.map(({ token_id, token_uri }) => [token_id, token_uri]);
};

/** What the explorer says of the world. */
async function answered(get: Get) {
  const tokens = await Promise.all(
    [...coins, ...arts].map(async ({ address: contract_hash }) => ({
      contract_hash,
      supply: ((await get("T1", { contract_hash })) as { data: object }).data,
      balances: await Promise.all(
        people.map((address_hash) => get("T2", { contract_hash, address_hash })),
      ),
      holders: ((await get("T4", { contract_hash })) as { data: object }).data,
    })),
  );
  const collections = await Promise.all(
    arts.map(async ({ address }) => ({
      all: idsIn((await get("A9", { contract_address: address })) as List<TokenId>),
      of: await Promise.all(
        people.map(async (address_hash) =>
          idsIn((await get("T3", { contract_hash: address, address_hash })) as List<TokenId>),
        ),
      ),
    })),
  );
  const holdings = await Promise.all(
    people.map(async (address_hash) => {
      const all = (await get("A6", { address_hash })) as {
        mrc_20: { results: readonly Held[] };
        mrc_721: { results: readonly Held[] };
      };
      const [a7, a8] = [await get("A7", { address_hash }), await get("A8", { address_hash })];
      const named = (list: unknown) =>
        (list as List<Held>).data.map(({ token_address, token_name }) => [
          token_address,
          token_name,
        ]);
      return {
        coins: all.mrc_20.results.map(({ token_address, balance }) => [token_address, balance]),
        arts: all.mrc_721.results.map(({ token_address, balance }) => [token_address, balance]),
        names: [named(a7), named(a8)],
      };
    }),
  );
  return { tokens, collections, holdings };
}

/** What the node says of it. */
async function truth(): Promise<Awaited<ReturnType<typeof answered>>> {
  const byAddress = (list: readonly OddContract[]) =>
    list.toSorted((one, other) => (one.address < other.address ? -1 : 1));
  const holdersOf = async (of: OddContract) => {
    const balances = await Promise.all(people.map((one) => of.ask("balanceOf", one)));
    return balances.map(BigInt as (value: unknown) => bigint);
  };
  const tokens = await Promise.all(
    [...coins, ...arts].map(async (of) => {
      const balances = await holdersOf(of);
      return {
        contract_hash: of.address,
        supply: { total_supply: String(await of.ask("totalSupply")) },
        balances: balances.map((balance) => ({ data: { balance: String(balance) } })),
        holders: { holder_count: String(balances.filter((balance) => balance > 0n).length) },
      };
    }),
  );
  const collections = await Promise.all(
    arts.map(async (of) => {
      const all: { readonly owner: string; readonly entry: string[] }[] = [];
      for (let tokenId = 0n; tokenId < IDS; tokenId++) {
        const owner = (await of.ask("ownerOf", tokenId)) as Address | undefined;
        if (owner === undefined) continue;
        const entry = [String(tokenId), String(await of.ask("tokenURI", tokenId))];
        all.push({ owner: owner.toLowerCase(), entry });
      }
      return {
        all: all.map(({ entry }) => entry),
        of: people.map((one) => all.filter(({ owner }) => owner === one).map(({ entry }) => entry)),
      };
    }),
  );
  const holdings = await Promise.all(
    people.map(async (holder) => {
      const heldOf = async (list: readonly OddContract[]) => {
        const held = [];
        for (const token of byAddress(list)) {
          const balance = String(await token.ask("balanceOf", holder));
          if (balance !== "0")
            held.push({ of: token.address, balance, name: await token.ask("name") });
        }
        return held;
      };
      const [held, collected] = [await heldOf(coins), await heldOf(arts)];
      return {
        coins: held.map(({ of, balance }) => [of, balance]),
        arts: collected.map(({ of, balance }) => [of, balance]),
        names: [held, collected].map((list) => list.map(({ of, name }) => [of, name as string])),
      };
    }),
  );
  return { tokens, collections, holdings };
}

/** What the page shows of it, in the form of what the operations say. */
async function shown(follower: Follower) {
  const served = await serveExplorer(createExplorer({ chain: follower }));
  try {
    const ask = createInspector(served.url, "any");
    const listed = await ask("tokens", { limit: 100 });
    const tokens = await Promise.all(
      [...coins, ...arts].map(async ({ address }) => {
        const { token, holders } = await ask("token", { address });
        expect(listed.tokens).toContainEqual(token);
        const balanceOf = (one: Address) =>
          holders.find((holder) => holder.address === one)?.balance ?? 0n;
        return {
          contract_hash: address,
          supply: { total_supply: String(token.total_supply) },
          balances: people.map((one) => ({ data: { balance: String(balanceOf(one)) } })),
          holders: { holder_count: String(token.holder_count) },
        };
      }),
    );
    const counts = await Promise.all(
      people.map(async (address) => {
        const { mrc20_count, mrc721_count } = await ask("account", { address });
        return [mrc20_count, mrc721_count];
      }),
    );
    return { tokens, counts };
  } finally {
    await served.close();
  }
}

const asShown = ({ tokens, holdings }: Awaited<ReturnType<typeof truth>>) => ({
  tokens,
  counts: holdings.map(({ coins, arts }) => [coins.length, arts.length]),
});

test(
  "every holder, id, supply and name is the node's own, fresh and followed, through reverts",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 12, maxLength: 30 }), async (deeds) => {
        await node.ask("evm_revert", clean);
        clean = await node.ask("evm_snapshot");
        snapshots = [];
        const followed = await followNode(node.url, { interval: 60_000 });
        const get = explorerOf(followed);
        for (const [index, one] of deeds.entries()) {
          await happen(one);
          if (index % 6 === 5) await followed.update();
          // Now and then somebody looks: what was asked must not stay.
          if (index % 12 === 5) expect(await answered(get)).toEqual(await truth());
        }
        await followed.update();
        const expected = await truth();
        // The page first: it must not need what the operations asked for.
        expect(await shown(followed)).toEqual(asShown(expected));
        expect(await answered(get)).toEqual(expected);
        const fresh = await followNode(node.url, { interval: 60_000 });
        expect(await answered(explorerOf(fresh))).toEqual(expected);
        await Promise.all([followed.close(), fresh.close()]);
      }),
      { numRuns: runs(2) },
    );
  },
  limit(300_000),
);
