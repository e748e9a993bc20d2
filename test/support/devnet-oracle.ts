// The truth about devnet as its node reports it (`oracle.json.gz`); shared/chains/README.md explains its parts.
import type { Address, Hash } from "../../mocks/double/chain/records.ts";
import { DEVNET, readRecords, readZipped } from "./chains.ts";

/** "block/transaction/log", transaction, token, from, to, value or id. */
export type OracleTransfer = readonly [string, Hash, Address, Address, Address, string];

export interface OracleToken {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: string | null;
  readonly totalSupply: string | null;
  readonly holderCount: number;
  readonly balances: Readonly<Record<Address, string>>;
}

interface OracleFilter {
  readonly count: number;
  /** "block/transaction/log", in chain order. */
  readonly keys: readonly string[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly topics?: readonly (Hash | null)[];
  readonly or?: Readonly<Record<string, Hash>>;
}

interface OracleFrame {
  readonly traceAddress: readonly number[];
  readonly type: string;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: string;
  readonly subtraces: number;
  readonly error: string | null;
  readonly undone: boolean;
  readonly gas: string | null;
  readonly gasUsed: string | null;
}

export interface Oracle {
  readonly neverAppears: readonly Address[];
  readonly nativeBalances: Readonly<Record<Address, string>>;
  readonly nativeBalancesAt: readonly {
    readonly address: Address;
    readonly block: number;
    readonly balance: string;
  }[];
  readonly tokens20: Readonly<
    Record<Address, OracleToken & { readonly eventsGiveBalances: boolean }>
  >;
  readonly tokens721: Readonly<
    Record<
      Address,
      OracleToken & {
        readonly eventsGiveOwners: boolean;
        readonly inventory: Readonly<Record<Address, readonly string[]>>;
        readonly tokens: Readonly<
          Record<string, { readonly owner: Address | null; readonly uri: string | null }>
        >;
      }
    >
  >;
  readonly txs: Readonly<
    Record<Address, Readonly<Record<"from" | "to" | "contract" | "all", readonly Hash[]>>>
  >;
  readonly receiptStatus: Readonly<Record<Hash, string>>;
  readonly internal: Readonly<Record<Hash, readonly OracleFrame[]>>;
  readonly blocks: Readonly<
    Record<
      string,
      {
        readonly miner: Address;
        readonly timestamp: string;
        readonly transactions: number;
        readonly gasUsed: number;
        readonly gasLimit: number;
        readonly baseFeePerGas: string;
        readonly tips: string;
      }
    >
  >;
  readonly minedBy: Readonly<Record<Address, readonly number[]>>;
  readonly created: Readonly<
    Record<Address, { readonly tx: Hash; readonly creator: Address; readonly status: string }>
  >;
  readonly internalTxsOfAddress: Readonly<Record<Address, readonly Hash[]>>;
  readonly transfers: Readonly<
    Record<
      Address,
      {
        readonly mrc20Count: number;
        readonly mrc721Count: number;
        readonly mrc20: readonly OracleTransfer[];
        readonly mrc721: readonly OracleTransfer[];
      }
    >
  >;
  readonly logs: Readonly<
    Record<Address, { readonly total: number; readonly filters: readonly OracleFilter[] }>
  >;
  readonly contracts: Readonly<
    Record<
      Address,
      {
        readonly creator: Address;
        readonly tx: Hash;
        readonly codeBytes: number;
        readonly codeHash: Hash;
      }
    >
  >;
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface RawLog {
  readonly address: Address;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: Hash;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

/** The events that index nothing, such as CryptoKitties', as transfers. */
const notIndexed = (): OracleTransfer[] =>
  readRecords<{ receipts: { logs: RawLog[] }[] }>(DEVNET, "blocks")
    .flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
    .filter(({ topics, data }) => topics.join() === TRANSFER && data.length === 2 + 3 * 64)
    .map(({ address, data, transactionHash, ...at }) => {
      const words = [0, 1, 2].map((word) => data.slice(2 + word * 64, 66 + word * 64));
      const [from, to] = words.map((word): Address => `0x${word.slice(24)}`);
      const key = [at.blockNumber, at.transactionIndex, at.logIndex].map(Number).join("/");
      const parties = [from as Address, to as Address] as const;
      return [key, transactionHash, address, ...parties, String(BigInt(`0x${words[2]}`))];
    });

const order = (key: string): number =>
  key.split("/").reduce((sum, part) => sum * 10_000 + Number(part), 0);

/** The list of the oracle, which of a long one has the beginning, with more transfers; and the length of the whole list. */
function withMore(
  list: readonly OracleTransfer[],
  count: number,
  more: readonly OracleTransfer[],
): { readonly list: readonly OracleTransfer[]; readonly count: number } {
  const all = [...list, ...more].sort(([one], [other]) => order(one) - order(other));
  return {
    list: list.length === count ? all : all.slice(0, list.length),
    count: count + more.length,
  };
}

/** The oracle was made when transfers that index nothing were in no list. Here they count under the standard of their contract (S16). */
export function readDevnetOracle(): Oracle {
  const oracle: Oracle = JSON.parse(readZipped(DEVNET, "oracle.json.gz"));
  const added = notIndexed();
  const transfers = Object.entries(oracle.transfers).map(([address, of]) => {
    const own = added.filter(([, , , from, to]) => from === address || to === address);
    const mrc20 = own.filter(([, , token]) => token in oracle.tokens20);
    const mrc721 = own.filter(([, , token]) => token in oracle.tokens721);
    const [all20, all721] = [
      withMore(of.mrc20, of.mrc20Count, mrc20),
      withMore(of.mrc721, of.mrc721Count, mrc721),
    ];
    return [
      address,
      {
        ...{ mrc20: all20.list, mrc20Count: all20.count },
        ...{ mrc721: all721.list, mrc721Count: all721.count },
      },
    ];
  });
  return { ...oracle, transfers: Object.fromEntries(transfers) };
}
