// A story that goes on where a real node's chain ends: the demo chain.
import { beforeEach, describe, expect, test } from "vitest";
import { type ChainBuilder, coins, continueChain } from "../../mocks/builder/index.ts";
import type { Chain } from "../../mocks/chain/chain.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address } from "../../mocks/chain/records.ts";
import { loadDemo } from "../../mocks/ingest/demo.ts";

const demo = await loadDemo();
let chain: Chain;
let story: ChainBuilder;
beforeEach(() => {
  chain = demo.fork();
  story = continueChain(chain);
});

const bodies = (of: Chain) => Array.from({ length: of.length }, (_, at) => of.body(at));
const executions = () => bodies(demo).flatMap((body) => body?.executions ?? []);
const senders = [...new Set(executions().map(({ transaction }) => transaction.from))];
const touched = [
  ...new Set(
    executions().flatMap(({ transaction: { from, to, created } }) =>
      [from, to, created].filter((address) => address !== null),
    ),
  ),
];

describe("the demo chain", () => {
  test("accounts go on with the nonces they have there", () => {
    for (const sender of senders) {
      const last = items(chain.transactions(sender, "from", {})).at(-1);
      expect(story.nonce(sender)).toBe((last?.nonce ?? -1) + 1);
    }
  });

  test("its tokens can be moved by who holds them", () => {
    const found = touched
      .flatMap((holder) => items(chain.holdings(holder, "mrc20")))
      .find(
        ({ holder, balance }) =>
          balance > 10n && chain.balance(holder) > coins(1) && chain.code(holder) === "0x",
      );
    const { token, holder, balance } = found ?? expect.unreachable("nobody holds a token");
    const visitor = story.account();
    story.mrc20(token.address, holder).transfer(holder, visitor, 10n);
    story.mine();
    expect(chain.tokenBalance(token.address, visitor)).toBe(10n);
    expect(chain.tokenBalance(token.address, holder)).toBe(balance - 10n);
    expect(chain.token(token.address)?.holderCount).toBe(token.holderCount + 1);
    expect(demo.tokenBalance(token.address, visitor)).toBe(0n);
  });

  test("a reorganisation of its last blocks changes hashes, and nothing that happened", () => {
    const { undone, blocks, dropped } = story.reorg(20);
    expect([undone.length, blocks.length, dropped.length]).toEqual([20, 20, 0]);
    const told = (of: Chain) =>
      bodies(of).flatMap((body) =>
        (body?.executions ?? []).map(({ transaction: { block, ...rest }, frames, logs }) => ({
          ...rest,
          block: block.number,
          frames: frames.map(({ transaction: _, ...frame }) => frame),
          logs: logs.map(({ transaction: _, ...log }) => log),
        })),
      );
    expect(told(chain)).toEqual(told(demo));
    const state = (of: Chain) =>
      touched.map((address: Address) => ({
        address,
        balance: of.balance(address),
        code: of.code(address),
        token: of.token(address),
        nfts: items(of.nfts(address)),
        holdings: items(of.holdings(address, "mrc20")),
      }));
    expect(state(chain)).toEqual(state(demo));
    expect(chain.head.hash).not.toBe(demo.head.hash);
    expect(chain.head.parentHash).toBe(blocks.at(-2)?.hash);
  });
});
