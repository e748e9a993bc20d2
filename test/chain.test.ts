// What a chain takes in and refuses, how it filters, and what facts change.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateChain } from "../mocks/builder/generator.ts";
import { Chain } from "../mocks/chain/chain.ts";
import { items } from "../mocks/chain/listing.ts";
import type {
  Address,
  Block,
  BlockInput,
  ContractVerification,
  Hash,
} from "../mocks/chain/records.ts";
import { bodies } from "./chain/answers.ts";
import {
  ADDRESSES,
  addressOf,
  blockAfter,
  type Content,
  contents,
  mine,
} from "./chain/random-blocks.ts";

const hash = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;

const emptyBlock = (number: number, changes: Partial<Block> = {}): BlockInput => ({
  block: blockAfter(new Chain({ chainId: 1 }), {
    ...{ number, hash: hash(number + 1), parentHash: hash(number), ...changes },
  }),
  executions: [],
});

describe("a chain", () => {
  test("has no head before its first block", () => {
    expect(() => new Chain({ chainId: 1 }).head).toThrow(
      "The chain is empty: append a block first",
    );
  });

  test("may start at any number", () => {
    const chain = new Chain({ chainId: 1 });
    chain.append(emptyBlock(15_537_393));
    // At the last second that a time can have.
    chain.append(emptyBlock(15_537_394, { timestamp: 253_402_300_799 }));
    expect(chain.head.number).toBe(15_537_394);
    expect(chain.block(15_537_393)?.hash).toBe(hash(15_537_394));
    expect(chain.block(0)).toBeUndefined();
    expect(chain.block(15_537_395)).toBeUndefined();
    expect(chain.blocksMinedBy(addressOf(9)).count).toBe(2);
  });

  test.each([
    ["a gap", emptyBlock(3), "Cannot append block 3: expected block 2, the one after the head"],
    [
      "another parent",
      emptyBlock(2, { parentHash: hash(77) }),
      `Cannot append block 2: expected the parent hash ${hash(2)} (that of block 1), received ${hash(77)}`,
    ],
    [
      "a time after the year 9999",
      emptyBlock(2, { timestamp: 253_402_300_800 }),
      "Cannot append block 2: its timestamp 253402300800 is after the year 9999; expected seconds",
    ],
    [
      "missing transactions",
      emptyBlock(2, { transactionCount: 2 }),
      "Cannot append block 2: its transactionCount is 2, but it has 0 transactions",
    ],
  ])("refuses %s and stays as it was", (_, body, message) => {
    const chain = new Chain({ chainId: 1 });
    chain.append(emptyBlock(1));
    expect(() => chain.append(body)).toThrow(message);
    expect(chain.length).toBe(1);
  });

  test("keeps none of the transactions of a block that it refuses", () => {
    const made = generateChain({ blocks: 2, transactions: 120 });
    const [genesis, first, second] = bodies(made) as [BlockInput, BlockInput, BlockInput];
    const twice = (added: BlockInput, again: BlockInput): BlockInput => {
      const executions = [...added.executions, ...again.executions.slice(-1)];
      return { block: { ...added.block, transactionCount: executions.length }, executions };
    };
    const chain = new Chain({ chainId: 1717 });
    chain.append(genesis);
    expect(() => chain.append(twice(first, first))).toThrow("already has its transaction");
    chain.append(first);
    expect(() => chain.append(twice(second, first))).toThrow("already has its transaction");
    chain.snapshot();
    expect(() => chain.append(twice(second, first))).toThrow("already has its transaction");
    expect(chain.transactionCount).toBe(60);
    for (const { transaction } of second.executions)
      expect(chain.transaction(transaction.hash)).toBeUndefined();
    chain.append(second);
    expect(bodies(chain)).toEqual(bodies(made));
    for (const { transaction } of [...first.executions, ...second.executions])
      expect(chain.transaction(transaction.hash)).toEqual(transaction);
  });

  test("refuses to rewind more than it has", () => {
    const chain = new Chain({ chainId: 1 });
    chain.append(emptyBlock(1));
    expect(() => chain.rewind(2)).toThrow("Cannot rewind 2 blocks: the chain has 1");
  });

  test("cuts lists to a range of blocks", () => {
    fc.assert(
      fc.property(contents(), fc.nat(8), fc.nat(8), (of, startBlock, endBlock) => {
        const chain = new Chain({ chainId: 1 });
        for (const content of of) mine(chain, content);
        const inRange = ({ block: { number } }: { block: Block }) =>
          number >= startBlock && number <= endBlock;
        for (const address of ADDRESSES) {
          const list = items(chain.transactions(address, "all", {}));
          const cut = items(chain.transactions(address, "all", { startBlock, endBlock }));
          expect(cut).toEqual(list.filter(inRange));
          const frames = items(chain.frames(address, {}));
          expect(items(chain.frames(address, { startBlock, endBlock }))).toEqual(
            frames.filter(({ transaction }) => inRange(transaction)),
          );
        }
      }),
    );
  });
});

describe("facts", () => {
  const [token, holder, other] = [addressOf(0x70), addressOf(1), addressOf(2)];
  const move = (form: "mrc20" | "not indexed" | "consecutive", value: bigint): Content => ({
    miner: addressOf(9),
    credits: [],
    transactions: [
      {
        from: holder,
        to: token,
        value: 0n,
        succeeded: true,
        frames: [],
        logs: [{ token, form, from: addressOf(0), to: holder, value }],
        state: { isVerified: false, standard: undefined },
      },
    ],
  });

  test("win over what events say, and later events go on from there", () => {
    const chain = new Chain({ chainId: 1 });
    mine(chain, move("mrc20", 3n));
    chain.applyHeadState({
      tokenBalances: [
        [token, holder, 10n],
        [token, other, 5n],
      ],
    });
    chain.applyHeadState({ tokens: [{ address: token, name: "Told", totalSupply: 15n }] });
    expect(chain.token(token)).toMatchObject({ name: "Told", totalSupply: 15n, holderCount: 2 });
    mine(chain, move("mrc20", 2n));
    expect(chain.tokenBalance(token, holder)).toBe(12n);
    expect(chain.token(token)?.totalSupply).toBe(17n);
    expect(items(chain.holdings(other, "mrc20")).map(({ balance }) => balance)).toEqual([5n]);
    const zero = addressOf(0);
    chain.applyHeadState({
      tokenBalances: [
        [token, other, 0n],
        [token, zero, 9n],
        [token, addressOf(3), null],
      ],
    });
    expect(chain.token(token)?.holderCount).toBe(1);
    expect([...chain.knownHolders(token)].sort()).toEqual([holder, other]);
    chain.applyHeadState({ tokens: [{ address: token, totalSupply: null }] });
    expect(chain.token(token)?.totalSupply).toBe(5n);
  });

  test("count an id with another owner once, and one without an owner not at all", () => {
    const chain = new Chain({ chainId: 1 });
    chain.applyHeadState({ tokens: [{ address: token, standard: "mrc721" }] });
    mine(chain, move("not indexed", 1n));
    const supplyWith = (id: bigint, owner: Address | null) => {
      chain.applyHeadState({ owners: [[token, id, owner]] });
      return chain.token(token)?.totalSupply;
    };
    expect([supplyWith(1n, other), supplyWith(1n, null), supplyWith(1n, holder)]).toEqual([
      1n,
      0n,
      1n,
    ]);
    expect([supplyWith(2n, other), supplyWith(2n, null)]).toEqual([2n, 1n]);
  });

  test("make a token of a contract whose Transfer events index nothing", () => {
    const chain = new Chain({ chainId: 1 });
    mine(chain, move("not indexed", 4n));
    expect(chain.token(token)).toBeUndefined();
    expect(chain.transfers(holder, "mrc721", {}).count).toBe(0);
    chain.applyHeadState({
      tokens: [{ address: token, standard: "mrc721" }],
      uris: [[token, 4n, "ipfs"]],
    });
    expect(items(chain.nfts(token, holder))).toMatchObject([{ tokenId: 4n, uri: "ipfs" }]);
    mine(chain, move("not indexed", 1n));
    expect(items(chain.nfts(token)).map(({ tokenId }) => tokenId)).toEqual([1n, 4n]);
    // They are listed under the standard of their contract, and no other (S16).
    const from = addressOf(0);
    expect(items(chain.transfers(holder, "mrc721", {}))).toMatchObject([
      { from, to: holder, value: 4n },
      { from, to: holder, value: 1n },
    ]);
    expect(chain.transfers(holder, "mrc721", { startBlock: 1 }).count).toBe(1);
    expect(chain.transfers(holder, "mrc20", {}).count).toBe(0);
    // A fork has ids and URIs of its own.
    const fork = chain.fork();
    expect(fork.nft(token, 4n)?.uri).toBe("ipfs");
    fork.applyHeadState({ owners: [[token, 9n, other]], uris: [[token, 4n, null]] });
    mine(chain, move("not indexed", 2n));
    const idsOf = (reader: Chain) => items(reader.nfts(token)).map(({ tokenId }) => tokenId);
    expect([idsOf(chain), idsOf(fork)]).toEqual([
      [1n, 2n, 4n],
      [1n, 4n, 9n],
    ]);
    expect([chain, fork].map((reader) => reader.nft(token, 4n)?.uri)).toEqual(["ipfs", ""]);
    expect(fork.token(token)?.totalSupply).toBe(3n);
  });

  test("of a batch mint (ERC-2309) are a transfer and an owner of each id, in pages as in whole", () => {
    const chain = new Chain({ chainId: 1 });
    mine(chain, move("consecutive", 3n));
    const list = chain.transfers(holder, "mrc721", {});
    expect(items(list).map(({ value }) => value)).toEqual([0n, 1n, 2n, 3n]);
    expect(list.slice(1, 2).map(({ value }) => value)).toEqual([1n, 2n]);
    expect(items(chain.nfts(token, holder)).map(({ tokenId }) => tokenId)).toEqual([
      0n,
      1n,
      2n,
      3n,
    ]);
  });

  test("of a source count for the code that it was verified of", () => {
    const chain = new Chain({ chainId: 1 });
    chain.append(emptyBlock(1));
    const verified = { address: token, code: "0x60", abi: [] } as never as ContractVerification;
    chain.applyHeadState({ codes: [[token, "0x60"]], verified: [verified] });
    const found = (code: "0x60" | "0x61") => {
      chain.applyHeadState({ codes: [[token, code]] });
      return chain.verified(token);
    };
    expect([found("0x60"), found("0x61"), found("0x60")]).toEqual([verified, undefined, verified]);
  });
});
