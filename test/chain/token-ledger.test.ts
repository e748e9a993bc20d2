// A token's books: what its events say, what its contract says otherwise, and what a fork has of
// its own.
import { expect, test } from "vitest";
import { ZERO_ADDRESS } from "../../mocks/chain/hex.ts";
import { TokenLedger } from "../../mocks/chain/token-ledger.ts";

const TOKEN = `0x${"70".repeat(20)}` as const;
const ALICE = `0x${"0a".repeat(20)}` as const;
const BOB = `0x${"0b".repeat(20)}` as const;

test("a holder whom only the contract knows is one, until the contract says it has nothing", () => {
  const ledger = new TokenLedger(TOKEN);
  ledger.noteEvent({ standard: "mrc20" });
  ledger.transfer({ from: ZERO_ADDRESS, to: ALICE, value: 3n });
  ledger.applyBalance(BOB, 5n);
  ledger.applyBalance(ZERO_ADDRESS, 9n);
  expect([...ledger.knownHolders()]).toEqual([ALICE, BOB]);
  expect([ledger.hasHolder(BOB), ledger.record?.holderCount]).toEqual([true, 2]);
  ledger.applyBalance(BOB, 0n);
  expect([ledger.hasHolder(BOB), ledger.record?.holderCount]).toEqual([true, 1]);
  const other = `0x${"0c".repeat(20)}` as const;
  ledger.applyBalance(other, null);
  expect([ledger.hasHolder(other), ledger.balance(other)]).toEqual([false, 0n]);
});

test("a fork has ids of its own, and so has what it was forked from", () => {
  const ledger = new TokenLedger(TOKEN);
  ledger.noteEvent({ standard: "mrc721" });
  ledger.setOwner(1n, ALICE);
  expect(ledger.ids()).toEqual([1n]);
  const fork = ledger.fork();
  fork.setOwner(2n, BOB);
  ledger.setOwner(3n, ALICE);
  fork.applyOwner(4n, ALICE);
  expect([fork.ids(), fork.ids(ALICE), fork.ids(BOB)]).toEqual([[1n, 2n, 4n], [1n, 4n], [2n]]);
  expect([ledger.ids(), ledger.ids(ALICE), ledger.ids(BOB)]).toEqual([[1n, 3n], [1n, 3n], []]);
  expect([fork, ledger].map(({ record }) => record?.totalSupply)).toEqual([3n, 2n]);
  fork.setOwner(4n, BOB);
  expect(fork.record?.totalSupply).toBe(3n);
});

test("a contract's supply and URIs count until it returns none, and events move the supply", () => {
  const ledger = new TokenLedger(TOKEN);
  ledger.noteEvent({ standard: "mrc721" });
  ledger.setOwner(1n, ALICE);
  for (const totalSupply of [9n, null, 0n]) {
    ledger.applyMetadata({ totalSupply });
    expect(ledger.record?.totalSupply).toBe(totalSupply ?? 1n);
  }
  ledger.setOwner(1n, undefined);
  expect(ledger.record?.totalSupply).toBe(0n);
  ledger.applyUri(1n, "ipfs://1");
  expect(ledger.restart("mrc721").uri(1n)).toBe("ipfs://1");
  ledger.applyUri(1n, null);
  expect(ledger.uri(1n)).toBe("");
});
