// The truth of devnet, all of it, asked over a real port through the client: nothing between node and caller may bend it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { loadChain, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient, type Hash } from "../../src/index.ts";
import { DEVNET, describeWith } from "../support/chains.ts";
import { type Oracle, type OracleTransfer, readDevnetOracle } from "../support/devnet-oracle.ts";

type Hex = `0x${string}`;

function entries<Key extends string, T>(of: Readonly<Record<Key, T>>): [Key, T][] {
  return Object.entries(of) as [Key, T][];
}

/** The service shows lists newest first (S4), the oracle has them in chain order. */
async function inChainOrder<T>(list: AsyncIterable<T>): Promise<T[]> {
  return (await Array.fromAsync(list)).reverse();
}

/** One question at a time would spend the test on waiting. */
async function each<T>(items: readonly T[], ask: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of rest) await ask(item);
    }),
  );
}

describeWith(DEVNET, "devnet, asked over a port through the client", () => {
  let oracle: Oracle;
  let served: ServedExplorer;
  let explorer: ExplorerClient;
  /** block/transaction/log of the n-th log of a transaction is not on the wire: the oracle's keys without the log. */
  const place = (key: string): string => key.slice(0, key.lastIndexOf("/"));

  beforeAll(async () => {
    oracle = readDevnetOracle();
    served = await serveExplorer(createExplorer({ chain: await loadChain(DEVNET) }));
    explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "test" });
  });
  afterAll(() => served.close());

  test("every native balance", async () => {
    const truth = entries(oracle.nativeBalances);
    const received = await explorer.accounts.balances(truth.map(([address]) => address));
    expect(received.map(({ address, balance }) => [address, String(balance)])).toEqual(truth);
  });

  test("every token's supply, number of holders and balances, and nobody else's", async () => {
    const accounts = Object.keys(oracle.nativeBalances) as Hex[];
    for (const [token, truth] of entries({ ...oracle.tokens20, ...oracle.tokens721 })) {
      if (truth.totalSupply !== null) {
        expect(String(await explorer.tokens.totalSupply(token))).toBe(truth.totalSupply);
      }
      expect(await explorer.tokens.holderCount(token)).toBe(truth.holderCount);
      const held: Record<string, string> = {};
      await each(accounts, async (holder) => {
        const balance = await explorer.tokens.balance(token, holder);
        if (balance !== 0n) held[holder] = String(balance);
      });
      expect([token, held]).toEqual([token, truth.balances]);
    }
  });

  test("every owner and text of every unique token, by collection and by holder", async () => {
    for (const [collection, truth] of entries(oracle.tokens721)) {
      const live = Object.entries(truth.tokens)
        .filter(([, { owner }]) => owner !== null)
        .sort(([one], [other]) => (BigInt(one) < BigInt(other) ? -1 : 1));
      const received = await explorer.accounts.inventory(collection).collect({ max: 100_000 });
      expect(received.map((token) => [String(token.token_id), token.token_uri])).toEqual(
        live.map(([id, { uri }]) => [id, uri ?? ""]),
      );
      for (const { contract_address, token_name, token_symbol } of received) {
        expect([contract_address, token_name, token_symbol]).toEqual([
          collection,
          truth.name,
          truth.symbol,
        ]);
      }
      for (const holder of Object.keys(oracle.nativeBalances) as Hex[]) {
        const owned = live.filter(([, { owner }]) => owner === holder).map(([id]) => id);
        const inventory = await explorer.tokens.inventory(collection, holder);
        expect(inventory.count).toBe(owned.length);
        expect(inventory.data.map(({ token_id }) => String(token_id))).toEqual(owned);
      }
    }
  });

  test("every account's tokens of both standards, with balances and metadata", async () => {
    await each(Object.keys(oracle.nativeBalances) as Hex[], async (holder) => {
      const received = await explorer.accounts.tokens(holder, { limit: 1000 });
      const held = <T extends { readonly balances: Readonly<Record<string, string>> }>(
        tokens: Readonly<Record<Hex, T>>,
      ) =>
        entries(tokens)
          .filter(([, { balances }]) => balances[holder] !== undefined)
          .sort(([one], [other]) => (one < other ? -1 : 1));
      expect(
        received.mrc_20.results.map((entry) => [
          entry.token_address,
          String(entry.balance),
          entry.token_name,
          entry.token_symbol,
          entry.token_decimals,
          entry.holder_address,
          entry.holder_type,
        ]),
      ).toEqual(
        held(oracle.tokens20).map(([address, { balances, name, symbol, decimals }]) => [
          address,
          balances[holder],
          name,
          symbol,
          decimals === null ? null : Number(decimals),
          holder,
          holder in oracle.contracts ? "1" : "0",
        ]),
      );
      expect(
        received.mrc_721.results.map(({ token_address, balance }) => [
          token_address,
          String(balance),
        ]),
      ).toEqual(
        held(oracle.tokens721).map(([address, { balances }]) => [address, balances[holder]]),
      );
      const [mrc20, mrc721] = await Promise.all([
        Array.fromAsync(explorer.accounts.mrc20Tokens(holder)),
        Array.fromAsync(explorer.accounts.mrc721Tokens(holder)),
      ]);
      expect(mrc20.map(({ token_address }) => token_address)).toEqual(
        received.mrc_20.results.map(({ token_address }) => token_address),
      );
      expect(mrc721.map(({ token_address }) => token_address)).toEqual(
        received.mrc_721.results.map(({ token_address }) => token_address),
      );
    });
  });

  test("every address's transactions in all four roles, with order and count", async () => {
    await each(entries(oracle.txs), async ([address, truth]) => {
      for (const condition of ["from", "to", "contract", "all"] as const) {
        const list = explorer.accounts.transactions(address, { condition });
        const hashes = (await inChainOrder(list)).map(({ transaction_hash }) => transaction_hash);
        expect([address, condition, hashes]).toEqual([address, condition, truth[condition]]);
        const { count } = await explorer.accounts.transactions(address, { condition, limit: 1 });
        expect(count).toBe(truth[condition].length);
      }
    });
  });

  test("both forms of a transaction have the same content, and the fee is what left the sender", async () => {
    for (const address of Object.keys(oracle.txs).slice(0, 20) as Hex[]) {
      const full = await Array.fromAsync(explorer.accounts.transactions(address));
      const simple = await Array.fromAsync(
        explorer.accounts.transactions(address, { simple: true }),
      );
      expect(simple.map(({ transaction_hash }) => transaction_hash)).toEqual(
        full.map(({ transaction_hash }) => transaction_hash),
      );
      for (const [index, { tx_fee, value, tx_status }] of simple.entries()) {
        const one = full[index];
        expect([tx_fee, value, tx_status]).toEqual([
          (one?.gas_used ?? 0n) * (one?.gas_price ?? 0n),
          one?.value,
          one?.tx_status,
        ]);
      }
    }
  });

  test("every transaction's status, asked both ways", async () => {
    await each(entries(oracle.receiptStatus), async ([hash, status]) => {
      const expected = status === "0x1" ? "1" : "0";
      expect([
        hash,
        await explorer.transactions.receiptStatus(hash),
        await explorer.transactions.status(hash),
      ]).toEqual([hash, expected, expected]);
    });
  });

  test("every internal transaction of every transaction, with its status", async () => {
    await each(Object.keys(oracle.receiptStatus) as Hash[], async (hash) => {
      const received = await Array.fromAsync(explorer.transactions.internalTransactions(hash));
      expect([
        hash,
        received.map((frame) => ({
          traceAddress: frame.trace_address,
          type: frame.trace_type,
          from: frame.sender,
          to: frame.contract_address ?? frame.receiver,
          value: String(frame.value),
          subtraces: frame.sub_traces,
          failed: frame.message !== null,
          status: frame.status,
        })),
      ]).toEqual([
        hash,
        (oracle.internal[hash] ?? []).map((frame) => ({
          traceAddress: frame.traceAddress,
          type: frame.type,
          from: frame.from,
          to: frame.to,
          value: frame.value,
          subtraces: frame.subtraces,
          failed: frame.error !== null,
          status: frame.undone ? "0" : "1",
        })),
      ]);
    });
  });

  test("every address's internal transactions, in order", async () => {
    await each(entries(oracle.internalTxsOfAddress), async ([address, truth]) => {
      const received = await inChainOrder(explorer.accounts.internalTransactions(address));
      const hashes = [...new Set(received.map(({ transaction_hash }) => transaction_hash))];
      expect([address, hashes]).toEqual([address, truth]);
    });
  });

  test("every address's transfers of both standards, in order", async () => {
    await each(entries(oracle.transfers), async ([address, truth]) => {
      const mrc20 = await inChainOrder(explorer.accounts.mrc20Transfers(address));
      const mrc721 = await inChainOrder(explorer.accounts.mrc721Transfers(address));
      expect([mrc20.length, mrc721.length]).toEqual([truth.mrc20Count, truth.mrc721Count]);
      const expected = ([key, hash, token, from, to]: OracleTransfer) => [
        place(key),
        hash,
        token,
        from,
        to,
      ];
      const received = (transfer: (typeof mrc721)[number]) => [
        `${transfer.block_number}/${transfer.transaction_index}`,
        transfer.transaction_hash,
        transfer.token_address,
        transfer.sender,
        transfer.receiver,
      ];
      // Of a long list the oracle has the beginning and the length.
      expect(mrc20.slice(0, truth.mrc20.length).map(received)).toEqual(truth.mrc20.map(expected));
      expect(mrc20.slice(0, truth.mrc20.length).map(({ value }) => String(value))).toEqual(
        truth.mrc20.map((row) => row[5]),
      );
      expect(mrc721.slice(0, truth.mrc721.length).map(received)).toEqual(
        truth.mrc721.map(expected),
      );
    });
  });

  test("every filter of logs", async () => {
    /** Transaction hash of "block/transaction". */
    const hashes = new Map<string, string>();
    for (const address of Object.keys(oracle.txs) as Hex[]) {
      for await (const one of explorer.accounts.transactions(address)) {
        hashes.set(`${one.block_number}/${one.transaction_index}`, one.transaction_hash);
      }
    }
    for (const [address, { filters }] of entries(oracle.logs)) {
      await each(filters, async ({ fromBlock, toBlock, topics, or, count, keys }) => {
        const given =
          or ??
          Object.fromEntries(
            (topics ?? []).flatMap((topic, position) =>
              topic === null ? [] : [[`topic_${position}`, topic]],
            ),
          );
        const query = {
          address,
          ...(fromBlock !== undefined && { startBlock: BigInt(fromBlock) }),
          ...(toBlock !== undefined && { endBlock: BigInt(toBlock) }),
          ...given,
          ...(or !== undefined && { operand: "or" as const }),
        };
        const logs = await inChainOrder(explorer.eventLogs.list(query));
        expect([query, logs.length]).toEqual([query, count]);
        expect(
          logs
            .slice(0, keys.length)
            .map((log) => [log.transaction_hash, log.transaction_index, log.log_index]),
        ).toEqual(
          keys.map((key) => {
            const [, index, log] = key.split("/").map(Number);
            return [hashes.get(place(key)), index, log];
          }),
        );
      });
    }
  });

  test("every block's miner, time and rewards, and the blocks of every miner", async () => {
    await each(entries(oracle.blocks), async ([number, truth]) => {
      const block = await explorer.blocks.get(BigInt(number));
      expect(block).toMatchObject({
        block_number: BigInt(number),
        miner: truth.miner,
        timestamp: new Date(truth.timestamp),
        fees: BigInt(truth.tips),
        mining_reward: 0n,
        reward: BigInt(truth.tips),
      });
    });
    for (const [miner, numbers] of entries(oracle.minedBy)) {
      const blocks = await inChainOrder(explorer.accounts.minedBlocks(miner));
      expect(blocks.map(({ block_number }) => Number(block_number))).toEqual(numbers);
      for (const { block_number, gas_used, gas_limit, transaction_count } of blocks) {
        const truth = oracle.blocks[String(block_number)];
        expect([Number(gas_used), Number(gas_limit), transaction_count]).toEqual([
          truth?.gasUsed,
          truth?.gasLimit,
          truth?.transactions,
        ]);
      }
    }
  });

  test("nothing, and no error, for addresses that never appear", async () => {
    await each(oracle.neverAppears, async (address) => {
      expect((await explorer.accounts.transactions(address)).data).toEqual([]);
      expect((await explorer.accounts.internalTransactions(address)).data).toEqual([]);
      expect((await explorer.accounts.mrc20Transfers(address)).data).toEqual([]);
      expect((await explorer.accounts.mrc721Transfers(address)).data).toEqual([]);
      expect((await explorer.accounts.minedBlocks(address)).data).toEqual([]);
      expect((await explorer.accounts.tokens(address)).data).toEqual([]);
    });
  });
});
