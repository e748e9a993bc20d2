// The expected results of the tour, computed from the node's raw responses in mocks/demo without
// the mock server's code.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

type Hex = `0x${string}`;

interface Oracle {
  readonly head: number;
  readonly nativeBalances: Readonly<Record<Hex, string>>;
  readonly transactions: readonly {
    readonly hash: Hex;
    readonly block: number;
    readonly from: Hex;
    readonly to: Hex | null;
    readonly created: Hex | null;
    readonly status: Hex;
  }[];
  readonly miners: readonly Hex[];
  readonly logs: Readonly<Record<Hex, { readonly all: readonly string[] }>>;
}

interface NodeCall {
  readonly group: string;
  readonly params: readonly [{ readonly to: Hex; readonly data: Hex }, string];
  readonly result?: Hex;
}

interface RawFrame {
  readonly type: string;
  readonly from: Hex;
  readonly to?: Hex;
  readonly calls?: readonly RawFrame[];
}

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
}

interface RawBlock {
  readonly block: {
    readonly number: Hex;
    readonly baseFeePerGas?: Hex;
    readonly transactions: readonly { readonly hash: Hex }[];
  };
  readonly receipts: readonly {
    readonly gasUsed: Hex;
    readonly effectiveGasPrice: Hex;
    readonly logs: readonly RawLog[];
  }[];
  readonly traces: readonly { readonly txHash: Hex; readonly result: RawFrame }[];
}

export interface Source {
  readonly address: Hex;
  readonly name: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion?: string;
  readonly source: string;
  readonly constructorArguments: string;
  readonly abi: readonly unknown[];
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const BALANCE_OF = "0x70a08231";
const TOTAL_SUPPLY = "0x18160ddd";

const parsed = (name: string): string =>
  gunzipSync(readFileSync(new URL(`../../mocks/demo/${name}.gz`, import.meta.url))).toString();

// The files belong to the project and have the node's format.
const lines = <Line>(name: string): Line[] =>
  parsed(`${name}.ndjson`)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const padded = (address: Hex) => `0x${address.slice(2).padStart(64, "0")}`;

export function readTruth() {
  const oracle = JSON.parse(parsed("oracle.json")) as Oracle;
  const calls = lines<NodeCall>("calls");
  const blocks = lines<RawBlock>("blocks");
  const sources = lines<Source>("sources");

  const frames = blocks.flatMap(({ traces }) => traces);
  const inner = (frame: RawFrame): RawFrame[] =>
    (frame.calls ?? []).flatMap((call) => [call, ...inner(call)]);
  const logs = blocks.flatMap(({ receipts }) => receipts.flatMap((receipt) => receipt.logs));

  /**
   * The topics of a log, and after them the words of its data: old contracts index no parameters.
   */
  const wordsOf = ({ topics: [event, ...indexed], data }: RawLog) => [
    event,
    ...[...indexed, data].flatMap((hex) => hex.slice(2).match(/.{64}/g) ?? []),
  ];
  /**
   * MRC20 transfers have 3 topics, MRC721 ones 4; one that indexes nothing is of the standard of
   * its contract.
   */
  const standardOf = ({ address, topics }: RawLog) => {
    const source = sources.find((one) => one.address === address);
    const abi = (source?.abi ?? []) as readonly { readonly name?: string }[];
    const ofCollection = topics.length === 1 && abi.some(({ name }) => name === "ownerOf");
    return topics.length === 4 || ofCollection ? "mrc721" : "mrc20";
  };

  /** The results of `token.balanceOf`, by holder. */
  const balancesOf = (token: Hex): ReadonlyMap<Hex, bigint> =>
    new Map(
      calls.flatMap(({ group, params: [call], result }) =>
        group === "balance-of" && call.to === token && call.data.startsWith(BALANCE_OF)
          ? [[`0x${call.data.slice(-40)}` as Hex, BigInt(result ?? 0)] as const]
          : [],
      ),
    );
  /** The owners of a collection by token id, according to its Transfer events. */
  const ownersOf = (collection: Hex): ReadonlyMap<bigint, Hex> => {
    const owners = new Map<bigint, Hex>();
    for (const log of logs) {
      const [event, , to = "", id = ""] = wordsOf(log);
      if (log.address !== collection || event !== TRANSFER) continue;
      if (BigInt(`0x${to}`) === 0n) owners.delete(BigInt(`0x${id}`));
      else owners.set(BigInt(`0x${id}`), `0x${to.slice(24)}`);
    }
    return owners;
  };

  return {
    oracle,
    sources,
    balancesOf,
    ownersOf,
    /** The balance of a holder, in an MRC20 or MRC721 token. */
    balanceOf: (token: Hex, holder: Hex): bigint =>
      balancesOf(token).get(holder) ??
      BigInt([...ownersOf(token).values()].filter((owner) => owner === holder).length),
    /** The result of `token.totalSupply`. */
    totalSupply(token: Hex): bigint | undefined {
      const call = calls.find(
        ({ group, params }) =>
          group === "token-meta" && params[0].to === token && params[0].data === TOTAL_SUPPLY,
      );
      return call?.result && BigInt(call.result);
    },
    /** The hashes of the transactions of an address, newest first. */
    transactionsOf: (address: Hex): Hex[] =>
      oracle.transactions
        .filter(({ from, to, created }) => [from, to, created].includes(address))
        .map(({ hash }) => hash)
        .reverse(),
    /** The internal calls of a transaction. */
    framesOf: (hash: Hex): RawFrame[] =>
      frames.flatMap(({ txHash, result }) => (txHash === hash ? inner(result) : [])),
    /** The number of internal calls from or to an address. */
    frameCount: (address: Hex): number =>
      frames
        .flatMap(({ result }) => inner(result))
        .filter(({ from, to }) => from === address || to === address).length,
    /**
     * The transaction hashes of the transfers of one standard from and to an address, newest first.
     */
    transfersOf: (address: Hex, standard: "mrc20" | "mrc721"): Hex[] =>
      logs
        .filter((log) => {
          const [event, ...words] = wordsOf(log);
          return (
            event === TRANSFER &&
            standardOf(log) === standard &&
            words.slice(0, 2).includes(padded(address).slice(2))
          );
        })
        .map((log) => log.transactionHash)
        .reverse(),
    /** The fees paid to the miner of a block. */
    feesOf(number: number): bigint {
      const raw = blocks.find(({ block }) => Number(block.number) === number);
      const base = BigInt(raw?.block.baseFeePerGas ?? 0);
      return (raw?.receipts ?? []).reduce(
        (sum, one) => sum + BigInt(one.gasUsed) * (BigInt(one.effectiveGasPrice) - base),
        0n,
      );
    },
  };
}
