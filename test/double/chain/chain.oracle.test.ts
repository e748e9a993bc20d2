// The truth of devnet, all of it, compared with a chain loaded from the dump: once per form of traces.
import { Hash as Hashing } from "ox";
import { beforeAll, expect, test } from "vitest";
import type { Chain } from "../../../mocks/double/chain/chain.ts";
import { items } from "../../../mocks/double/chain/listing.ts";
import type { ChainReader, LogFilter, Role } from "../../../mocks/double/chain/reader.ts";
import type {
  Address,
  Hash,
  Log,
  TokenStandard,
  Transfer,
} from "../../../mocks/double/chain/records.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { parseChain } from "../../../mocks/double/sources/ingest/parse-chain.ts";
import { DEVNET, describeWith, readRecords, readZipped } from "../../support/chains.ts";
import {
  type Oracle,
  type OracleToken,
  type OracleTransfer,
  readDevnetOracle,
} from "../../support/devnet-oracle.ts";

function entries<T>(of: Readonly<Record<Address, T>>): [Address, T][] {
  return Object.entries(of) as [Address, T][];
}

function logKey({ transaction, index }: Log): string {
  return `${transaction.block.number}/${transaction.index}/${index}`;
}

function transferRow({ log, token, from, to, value }: Transfer): OracleTransfer {
  return [logKey(log), log.transaction.hash, token.address, from, to, String(value)];
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface RawLog {
  readonly key: string;
  readonly block: number;
  readonly address: Address;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Every log of the dump in chain order, read without any of what is tested. */
function readRawLogs(): RawLog[] {
  return readRecords(DEVNET, "blocks").flatMap(({ receipts }) =>
    (receipts as { logs: Record<string, string>[] }[])
      .flatMap(({ logs }) => logs)
      .map(({ blockNumber, transactionIndex, logIndex, address, topics, data }) => ({
        key: [blockNumber, transactionIndex, logIndex].map(Number).join("/"),
        block: Number(blockNumber),
        address: address as Address,
        topics: topics as unknown as string[],
        data: data as string,
      })),
  );
}

function matches({ address, block, topics }: RawLog, filter: LogFilter): boolean {
  const given = filter.topics.flatMap((topic, at) =>
    topic === undefined ? [] : [topics[at] === topic],
  );
  return (
    address === filter.address &&
    block >= (filter.startBlock ?? 0) &&
    block <= (filter.endBlock ?? block) &&
    (filter.operand === "and" ? given.every(Boolean) : given.some(Boolean))
  );
}

const ROLES: readonly Role[] = ["from", "to", "contract", "all"];

function describeTruth(form: string, load: () => Chain | Promise<Chain>): void {
  describeWith(DEVNET, `devnet, loaded from ${form}`, () => {
    let oracle: Oracle;
    let rawLogs: RawLog[];
    let chain: ChainReader;
    beforeAll(async () => {
      oracle = readDevnetOracle();
      rawLogs = readRawLogs();
      chain = await load();
    });

    test("has every native balance", () => {
      for (const [address, balance] of entries(oracle.nativeBalances)) {
        expect([address, String(chain.balance(address))]).toEqual([address, balance]);
      }
    });

    test("knows the name, symbol, decimals and supply of every token", () => {
      for (const [address, truth] of entries({ ...oracle.tokens20, ...oracle.tokens721 })) {
        const token = chain.token(address);
        const { name, symbol, decimals } = truth;
        expect(token).toMatchObject({
          address,
          standard: address in oracle.tokens20 ? "mrc20" : "mrc721",
          name,
          symbol,
          decimals: decimals === null ? null : Number(decimals),
          holderCount: truth.holderCount,
        });
        if (truth.totalSupply !== null) expect(String(token?.totalSupply)).toBe(truth.totalSupply);
      }
    });

    test("knows who holds how much of every token, and who holds nothing", () => {
      const accounts = Object.keys(oracle.nativeBalances) as Address[];
      for (const [address, { balances }] of entries({ ...oracle.tokens20, ...oracle.tokens721 })) {
        const held = Object.fromEntries(
          accounts
            .map((holder) => [holder, String(chain.tokenBalance(address, holder))])
            .filter(([, balance]) => balance !== "0"),
        );
        expect(held).toEqual(balances);
      }
    });

    test("lists for every account the tokens it holds, ascending by token", () => {
      const standards: [TokenStandard, Readonly<Record<Address, OracleToken>>][] = [
        ["mrc20", oracle.tokens20],
        ["mrc721", oracle.tokens721],
      ];
      for (const [standard, tokens] of standards) {
        for (const holder of Object.keys(oracle.nativeBalances) as Address[]) {
          const expected = entries(tokens)
            .flatMap(([token, { balances }]) => {
              const balance = balances[holder];
              return balance === undefined ? [] : [[token, balance] as const];
            })
            .sort(([one], [other]) => (one < other ? -1 : 1));
          const held = items(chain.holdings(holder, standard));
          expect(held.map(({ token, balance }) => [token.address, String(balance)])).toEqual(
            expected,
          );
        }
      }
    });

    test("knows the owner and text of every unique token, and which of them are gone", () => {
      for (const [collection, { tokens, inventory }] of entries(oracle.tokens721)) {
        const live = items(chain.nfts(collection)).map(({ tokenId, owner, uri }) => [
          String(tokenId),
          owner,
          uri,
        ]);
        const expected = Object.entries(tokens)
          .filter(([, { owner }]) => owner !== null)
          .map(([id, { owner, uri }]) => [id, owner, uri ?? ""])
          .sort(([one], [other]) => (BigInt(one ?? 0) < BigInt(other ?? 0) ? -1 : 1));
        expect(live).toEqual(expected);
        for (const [holder, ids] of entries(inventory)) {
          const held = items(chain.nfts(collection, holder)).map(({ tokenId }) => String(tokenId));
          expect(held.sort()).toEqual([...ids].sort());
        }
      }
    });

    test("lists every address's transactions in each role, in order", () => {
      for (const [address, truth] of entries(oracle.txs)) {
        for (const role of ROLES) {
          const hashes = items(chain.transactions(address, role, {})).map(({ hash }) => hash);
          expect([address, role, hashes]).toEqual([address, role, truth[role]]);
        }
      }
    });

    test("knows whether every transaction succeeded", () => {
      const statuses = Object.entries(oracle.receiptStatus) as [Hash, string][];
      for (const [hash, status] of statuses) {
        expect([hash, chain.transaction(hash)?.succeeded]).toEqual([hash, status === "0x1"]);
      }
    });

    test("has every internal transaction, and knows which were undone", () => {
      for (const hash of Object.keys(oracle.receiptStatus) as Hash[]) {
        const transaction = chain.transaction(hash);
        if (transaction === undefined) throw new Error(`no transaction ${hash}`);
        const frames = items(chain.framesOf(transaction)).map((frame) => ({
          traceAddress: frame.traceAddress,
          type: frame.type,
          from: frame.from,
          to: frame.created ?? frame.to,
          value: String(frame.value),
          subtraces: frame.subTraces,
          failed: frame.error !== null,
          undone: frame.undone,
          gas: frame.gasLimit === null ? null : String(frame.gasLimit),
        }));
        const truth = (oracle.internal[hash] ?? []).map(({ error, gasUsed, ...frame }) => ({
          ...frame,
          failed: error !== null,
        }));
        expect([hash, frames]).toEqual([hash, truth]);
      }
    });

    test("knows the gas of every internal transaction the oracle knows it of", () => {
      for (const [hash, truth] of Object.entries(oracle.internal) as [
        Hash,
        Oracle["internal"][Hash],
      ][]) {
        const transaction = chain.transaction(hash);
        if (transaction === undefined) throw new Error(`no transaction ${hash}`);
        for (const [index, frame] of items(chain.framesOf(transaction)).entries()) {
          const gasUsed = truth[index]?.gasUsed;
          if (typeof gasUsed === "string") expect(String(frame.gasUsed)).toBe(gasUsed);
        }
      }
    });

    test("lists every address's internal transactions, in order", () => {
      for (const [address, truth] of entries(oracle.internalTxsOfAddress)) {
        const hashes = items(chain.frames(address, {})).map(({ transaction }) => transaction.hash);
        expect([address, [...new Set(hashes)]]).toEqual([address, truth]);
      }
    });

    test("lists every address's token transfers of both standards, in order", () => {
      for (const [address, truth] of entries(oracle.transfers)) {
        const mrc20 = items(chain.transfers(address, "mrc20", {})).map(transferRow);
        const mrc721 = items(chain.transfers(address, "mrc721", {})).map(transferRow);
        // Of a long list the oracle has the beginning and the length.
        expect([address, mrc20.slice(0, truth.mrc20.length)]).toEqual([address, truth.mrc20]);
        expect([address, mrc721.slice(0, truth.mrc721.length)]).toEqual([address, truth.mrc721]);
        expect([mrc20.length, mrc721.length]).toEqual([truth.mrc20Count, truth.mrc721Count]);
        expect(mrc20.map(([key]) => key)).toEqual(
          rawLogs
            .filter(({ address: token, topics, data }) => {
              const [event, ...indexed] = topics;
              // Where nothing is indexed, the holders are in the data.
              const words = indexed.length > 0 ? indexed : [data.slice(0, 66), data.slice(64, 130)];
              const [from, to, id] = words;
              const parties = [from, to].map((word) => `0x${word?.slice(26)}`);
              return (
                token in oracle.tokens20 &&
                event === TRANSFER &&
                id === undefined &&
                parties.includes(address)
              );
            })
            .map(({ key }) => key),
        );
      }
    });

    test("answers every filter of logs", () => {
      for (const [address, { filters }] of entries(oracle.logs)) {
        for (const { fromBlock, toBlock, topics, or, count, keys } of filters) {
          const filter: LogFilter = {
            address,
            topics:
              or === undefined
                ? (topics ?? []).map((topic) => topic ?? undefined)
                : [0, 1, 2, 3].map((position) => or[`topic_${position}`]),
            operand: or === undefined ? "and" : "or",
            startBlock: fromBlock === undefined ? undefined : Number(fromBlock),
            endBlock: toBlock === undefined ? undefined : Number(toBlock),
          };
          const found = items(chain.logs(filter)).map(logKey);
          // Of a long list the oracle has the beginning and the length.
          expect(found.slice(0, keys.length)).toEqual(keys);
          expect(found.length).toBe(count);
          expect(found).toEqual(
            rawLogs.filter((log) => matches(log, filter)).map(({ key }) => key),
          );
        }
      }
    });

    test("knows every block: miner, time, gas, and what the miner was paid", () => {
      for (const [number, truth] of Object.entries(oracle.blocks)) {
        const block = chain.block(Number(number));
        expect(block).toMatchObject({
          number: Number(number),
          miner: truth.miner,
          timestamp: Date.parse(truth.timestamp) / 1000,
          transactionCount: truth.transactions,
          gasUsed: truth.gasUsed,
          gasLimit: truth.gasLimit,
          baseFeePerGas: BigInt(truth.baseFeePerGas),
          fees: BigInt(truth.tips),
          miningReward: 0n,
        });
      }
      expect(chain.head.number).toBe(Object.keys(oracle.blocks).length - 1);
    });

    test("lists the blocks of every miner", () => {
      for (const [miner, numbers] of entries(oracle.minedBy)) {
        expect(items(chain.blocksMinedBy(miner)).map(({ number }) => number)).toEqual(numbers);
      }
    });

    test("knows what created every contract, and its code", () => {
      for (const [address, truth] of entries(oracle.contracts)) {
        const direct = items(chain.transactions(address, "contract", {}));
        const inner = items(chain.frames(address, {})).filter(({ created }) => created === address);
        const creation =
          direct.map(({ hash, from }) => ({ tx: hash, creator: from }))[0] ??
          inner
            .filter(({ undone }) => !undone)
            .map(({ transaction, from }) => ({ tx: transaction.hash, creator: from }))[0];
        const code = chain.code(address);
        expect([address, creation, (code.length - 2) / 2, Hashing.keccak256(code)]).toEqual([
          address,
          { tx: truth.tx, creator: truth.creator },
          truth.codeBytes,
          truth.codeHash,
        ]);
      }
      for (const [address, { tx, creator, status }] of entries(oracle.created)) {
        const [transaction] = items(chain.transactions(address, "contract", {}));
        expect(transaction).toMatchObject({ hash: tx, from: creator });
        expect(transaction?.succeeded).toBe(status === "0x1");
      }
    });

    test("has nothing but a balance, if that, of addresses that never appear", () => {
      for (const address of oracle.neverAppears) {
        expect(String(chain.balance(address))).toBe(oracle.nativeBalances[address]);
        expect(chain.code(address)).toBe("0x");
        expect(chain.token(address)).toBeUndefined();
        expect(chain.transactions(address, "all", {}).count).toBe(0);
        expect(chain.frames(address, {}).count).toBe(0);
        expect(chain.transfers(address, "mrc20", {}).count).toBe(0);
        expect(chain.holdings(address, "mrc721").count).toBe(0);
        expect(chain.blocksMinedBy(address).count).toBe(0);
      }
    });
  });
}

describeWith(DEVNET, "devnet's native balances, without those the node reported", () => {
  const lines = () =>
    readZipped(DEVNET, "calls.ndjson.gz")
      .split("\n")
      .filter((line) => !line.includes('"native-balance"'));
  const blocks = () => readZipped(DEVNET, "blocks.ndjson.gz").split("\n");

  test("follow from genesis, transactions, frames and fees alone", () => {
    const oracle = readDevnetOracle();
    const chain = parseChain({ blocks: blocks(), calls: lines() });
    for (const [address, balance] of entries(oracle.nativeBalances)) {
      expect([address, String(chain.balance(address))]).toEqual([address, balance]);
    }
  });

  test("were, block for block, what the node remembers", () => {
    const oracle = readDevnetOracle();
    const chain = parseChain({ blocks: blocks(), calls: lines() });
    for (const { address, block, balance } of [...oracle.nativeBalancesAt].sort(
      (one, other) => other.block - one.block,
    )) {
      chain.rewind(chain.head.number - block);
      expect([address, block, String(chain.balance(address))]).toEqual([address, block, balance]);
    }
  });
});

describeTruth("blocks with callTracer traces", () => loadChain(DEVNET));

describeTruth("blocks without traces, beside trace_block", () => {
  const blocks = readRecords(DEVNET, "blocks").map((line) =>
    JSON.stringify({ ...line, traces: null }),
  );
  const [calls, parity] = ["calls", "parity"].map((name) =>
    readZipped(DEVNET, `${name}.ndjson.gz`),
  );
  return parseChain({ blocks, calls, parity });
});
