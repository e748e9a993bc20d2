// The builder continues the demo chain, which a real node executed.
import { beforeEach, describe, expect, test } from "vitest";
import { type ChainBuilder, coins, continueChain } from "../../mocks/builder/index.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { loadDemo } from "../../mocks/ingest/load-chain.ts";
import { bodies } from "../chain/answers.ts";

const demo = await loadDemo({ verified: true });
let chain: ChainWriter;
let builder: ChainBuilder;
beforeEach(() => {
  chain = demo.fork();
  builder = continueChain(chain);
});

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
      expect(builder.nonce(sender)).toBe((last?.nonce ?? -1) + 1);
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
    const visitor = builder.account();
    builder.mrc20(token.address, holder).transfer(holder, visitor, 10n);
    builder.mine();
    expect(chain.tokenBalance(token.address, visitor)).toBe(10n);
    expect(chain.tokenBalance(token.address, holder)).toBe(balance - 10n);
    expect(chain.token(token.address)?.holderCount).toBe(token.holderCount + 1);
    expect(demo.tokenBalance(token.address, visitor)).toBe(0n);
  });
});
