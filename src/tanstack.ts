// Options for TanStack Query: the key and the function of each query, for useQuery, useInfiniteQuery and a QueryClient.

/**
 * Options for TanStack Query (React, Vue, Solid, Svelte, Angular): {@link queries}.
 *
 * @module mrc-explorer/tanstack
 */

import type { DataTag, InfiniteData, QueryKey } from "@tanstack/query-core";
import type { ExplorerClient } from "./client.ts";
import type { OperationName } from "./contract/operation-names.ts";
import type { RequestOptions } from "./http/call.ts";
import type { IterationOptions, PagedRequest } from "./lists/paged-request.ts";
import type { Address, Hash } from "./models/primitives.ts";
import type {
  BlockNumber,
  EventLogsQuery,
  InternalTransactionsQuery,
  InventoryQuery,
  PageQuery,
  TransactionInternalTransactionsQuery,
  TransactionsQuery,
  TransfersQuery,
} from "./resources/queries.ts";

/** Options for `useQuery`, `fetchQuery` and the like. */
export interface ResultQuery<Data> {
  /** Of JSON values only, and the same for every spelling of an address or a number. */
  readonly queryKey: DataTag<QueryKey, Data>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** The client has retried already. */
  readonly retry: false;
}

/** A page of an infinite query: values only, so that it can be sent from a server component. */
export interface QueryPage<Item> {
  /** The records, without those of earlier pages. */
  readonly data: readonly Item[];
  /** How many records there are according to the service: in the list, or on the page (R8). */
  readonly count: number | null;
  /** How many records of the list come before the first one. */
  readonly offset: number;
  /** Where the next page begins; null on the last one. */
  readonly cursor: string | null;
}

/** Options for `useInfiniteQuery`, `fetchInfiniteQuery` and the like. */
export interface ListQuery<Item> {
  /** Of JSON values only, and the same for every spelling of an address or a number. */
  readonly queryKey: DataTag<QueryKey, InfiniteData<QueryPage<Item>>>;
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: string | null;
  }) => Promise<QueryPage<Item>>;
  readonly initialPageParam: string | null;
  readonly getNextPageParam: (page: Pick<QueryPage<Item>, "cursor">) => string | null;
  /** The client has retried already. */
  readonly retry: false;
}

/** The parameters of a list; how it is read is up to the query. */
type ListParameters<Query> = Omit<Query, keyof IterationOptions>;

/** JSON values only; equal for equal requests. */
function stable(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return `${value}`;
  if (typeof value === "string") return value.toLowerCase();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(stable);
  const given = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, stable(one)]));
}

const keyOf = (explorer: ExplorerClient, ...parts: readonly unknown[]): QueryKey => [
  "mrc-explorer",
  explorer.toJSON().baseUrl,
  ...parts,
];

const result = <Data>(
  explorer: ExplorerClient,
  operation: OperationName,
  parameters: readonly unknown[],
  read: (options: RequestOptions) => Promise<Data>,
): ResultQuery<Data> => ({
  queryKey: keyOf(explorer, operation, ...parameters.map(stable)) as DataTag<QueryKey, Data>,
  queryFn: ({ signal }) => read({ signal }),
  retry: false,
});

const list = <Item>(
  explorer: ExplorerClient,
  operation: OperationName,
  parameters: readonly unknown[],
  read: (
    from: { readonly resume: string | undefined },
    options: RequestOptions,
  ) => PagedRequest<Item>,
): ListQuery<Item> => ({
  queryKey: keyOf(explorer, operation, ...parameters.map(stable)) as ListQuery<Item>["queryKey"],
  async queryFn({ pageParam, signal }) {
    const page = await read({ resume: pageParam ?? undefined }, { signal });
    const { data, count, offset } = page;
    return { data, count, offset, cursor: page.hasNextPage() ? page.cursor : null };
  },
  initialPageParam: null,
  getNextPageParam: ({ cursor }) => cursor,
  retry: false,
});

/**
 * The options of each query: `useQuery(queries.balance(explorer, address))`, and for lists
 * `useInfiniteQuery(queries.transactions(explorer, address))`, whose pages continue where the one before ended, whatever has arrived since.
 *
 * @example
 * const { pages } = await queryClient.fetchInfiniteQuery(queries.transactions(explorer, address, { limit: 25 }));
 * const balance = await queryClient.fetchQuery(queries.balance(explorer, address));
 */
export const queries = {
  /** The key that all queries of an explorer begin with: `queryClient.invalidateQueries({ queryKey: queries.all(explorer) })`. */
  all: (explorer: ExplorerClient): QueryKey => keyOf(explorer),
  /** `accounts.balance` (A1). */
  balance: (explorer: ExplorerClient, address: Address) =>
    result(explorer, "accounts.balance", [address], (options) =>
      explorer.accounts.balance(address, options),
    ),
  /** `accounts.balances` (A1): those of any number of addresses, in the order given. */
  balances: (explorer: ExplorerClient, addresses: readonly Address[]) =>
    result(explorer, "accounts.balance", [addresses], async (options) =>
      explorer.accounts.balances(addresses, options),
    ),
  /** `accounts.transactions` (A2). */
  transactions: <Simple extends boolean = false>(
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<TransactionsQuery<Simple>> = {},
  ) =>
    list(explorer, "accounts.transactions", [address, query], (from, options) =>
      explorer.accounts.transactions<Simple>(address, { ...query, ...from }, options),
    ),
  /** `accounts.internalTransactions` (A3). */
  internalTransactions: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<InternalTransactionsQuery> = {},
  ) =>
    list(explorer, "accounts.internalTransactions", [address, query], (from, options) =>
      explorer.accounts.internalTransactions(address, { ...query, ...from }, options),
    ),
  /** `accounts.mrc20Transfers` (A4). */
  mrc20Transfers: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<TransfersQuery> = {},
  ) =>
    list(explorer, "accounts.mrc20Transfers", [address, query], (from, options) =>
      explorer.accounts.mrc20Transfers(address, { ...query, ...from }, options),
    ),
  /** `accounts.mrc721Transfers` (A5). */
  mrc721Transfers: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<TransfersQuery> = {},
  ) =>
    list(explorer, "accounts.mrc721Transfers", [address, query], (from, options) =>
      explorer.accounts.mrc721Transfers(address, { ...query, ...from }, options),
    ),
  /** `accounts.tokens` (A6). */
  tokens: (explorer: ExplorerClient, address: Address, query: ListParameters<PageQuery> = {}) =>
    list(explorer, "accounts.tokens", [address, query], (from, options) =>
      explorer.accounts.tokens(address, { ...query, ...from }, options),
    ),
  /** `accounts.mrc20Tokens` (A7). */
  mrc20Tokens: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<PageQuery> = {},
  ) =>
    list(explorer, "accounts.mrc20Tokens", [address, query], (from, options) =>
      explorer.accounts.mrc20Tokens(address, { ...query, ...from }, options),
    ),
  /** `accounts.mrc721Tokens` (A8). */
  mrc721Tokens: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<PageQuery> = {},
  ) =>
    list(explorer, "accounts.mrc721Tokens", [address, query], (from, options) =>
      explorer.accounts.mrc721Tokens(address, { ...query, ...from }, options),
    ),
  /** `accounts.inventory` (A9). */
  inventory: (
    explorer: ExplorerClient,
    contract: Address,
    query: ListParameters<InventoryQuery> = {},
  ) =>
    list(explorer, "accounts.inventory", [contract, query], (from, options) =>
      explorer.accounts.inventory(contract, { ...query, ...from }, options),
    ),
  /** `accounts.minedBlocks` (A10). */
  minedBlocks: (
    explorer: ExplorerClient,
    address: Address,
    query: ListParameters<PageQuery> = {},
  ) =>
    list(explorer, "accounts.minedBlocks", [address, query], (from, options) =>
      explorer.accounts.minedBlocks(address, { ...query, ...from }, options),
    ),
  /** `tokens.totalSupply` (T1). */
  totalSupply: (explorer: ExplorerClient, contract: Address) =>
    result(explorer, "tokens.totalSupply", [contract], (options) =>
      explorer.tokens.totalSupply(contract, options),
    ),
  /** `tokens.balance` (T2). */
  tokenBalance: (explorer: ExplorerClient, contract: Address, holder: Address) =>
    result(explorer, "tokens.balance", [contract, holder], (options) =>
      explorer.tokens.balance(contract, holder, options),
    ),
  /** `tokens.inventory` (T3). */
  holderInventory: (explorer: ExplorerClient, contract: Address, holder: Address) =>
    result(explorer, "tokens.inventory", [contract, holder], (options) =>
      explorer.tokens.inventory(contract, holder, options),
    ),
  /** `tokens.holderCount` (T4). */
  holderCount: (explorer: ExplorerClient, contract: Address) =>
    result(explorer, "tokens.holderCount", [contract], (options) =>
      explorer.tokens.holderCount(contract, options),
    ),
  /** `transactions.status` (X1). */
  transactionStatus: (explorer: ExplorerClient, hash: Hash) =>
    result(explorer, "transactions.status", [hash], (options) =>
      explorer.transactions.status(hash, options),
    ),
  /** `transactions.receiptStatus` (X2). */
  receiptStatus: (explorer: ExplorerClient, hash: Hash) =>
    result(explorer, "transactions.receiptStatus", [hash], (options) =>
      explorer.transactions.receiptStatus(hash, options),
    ),
  /** `transactions.internalTransactions` (X3). */
  transactionInternalTransactions: (
    explorer: ExplorerClient,
    hash: Hash,
    query: ListParameters<TransactionInternalTransactionsQuery> = {},
  ) =>
    list(explorer, "transactions.internalTransactions", [hash, query], (from, options) =>
      explorer.transactions.internalTransactions(hash, { ...query, ...from }, options),
    ),
  /** `contracts.abi` (C1). */
  abi: (explorer: ExplorerClient, contract: Address) =>
    result(explorer, "contracts.abi", [contract], (options) =>
      explorer.contracts.abi(contract, options),
    ),
  /** `contracts.code` (C2). */
  code: (explorer: ExplorerClient, contract: Address) =>
    result(explorer, "contracts.code", [contract], (options) =>
      explorer.contracts.code(contract, options),
    ),
  /** `blocks.get` (B1). */
  block: (explorer: ExplorerClient, number: Exclude<BlockNumber, string>) =>
    result(explorer, "blocks.get", [number], (options) => explorer.blocks.get(number, options)),
  /** `eventLogs.list` (L1). */
  eventLogs: (explorer: ExplorerClient, query: ListParameters<EventLogsQuery>) =>
    list(explorer, "eventLogs.list", [query], (from, options) =>
      explorer.eventLogs.list({ ...query, ...from }, options),
    ),
};
