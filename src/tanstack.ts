// Options for TanStack Query: the key and the function of each query, for useQuery,
// useInfiniteQuery and a QueryClient.

/**
 * Options for TanStack Query (React, Vue, Solid, Svelte, Angular): {@link queries}.
 *
 * @module mrc-explorer/tanstack
 */

import type { DataTag, InfiniteData, QueryKey } from "@tanstack/query-core";
import type { ExplorerClient } from "./client.ts";
import type { ActionOf, Methods } from "./contract/operation-names.ts";
import type { RequestOptions } from "./http/call.ts";
import type { IterationOptions, Page, PagedRequest } from "./lists/paged-request.ts";
import type { Address } from "./models/primitives.ts";
import type { TransactionsRequest } from "./resources/pages.ts";
import type { TokenTransfersQuery, TransactionsQuery } from "./resources/queries.ts";
import type { TokenTransfer } from "./resources/token-transfers.ts";

/** Options for `useQuery`, `fetchQuery` and the like. */
export interface ResultQuery<Data> {
  /** Contains JSON values only, and is the same for every spelling of an address or a number. */
  readonly queryKey: DataTag<QueryKey, Data>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** The client already retries. */
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
  /** Contains JSON values only, and is the same for every spelling of an address or a number. */
  readonly queryKey: DataTag<QueryKey, InfiniteData<QueryPage<Item>>>;
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: string | null;
  }) => Promise<QueryPage<Item>>;
  readonly initialPageParam: string | null;
  readonly getNextPageParam: (page: QueryPage<Item>) => string | null;
  /** The client already retries. */
  readonly retry: false;
}

/** The parameters of a list; how it is read is up to the query. */
type ListParameters<Query> = Omit<Query, keyof IterationOptions>;

/** A method of the client that calls an operation of its name. */
type MethodOf<Resource extends keyof Methods, Action extends ActionOf<Resource>> = Extract<
  ExplorerClient[Resource][Action & keyof ExplorerClient[Resource]],
  (...parameters: never[]) => unknown
>;

/** The parameters of a method, without its options. */
type ParametersOf<Method> = Method extends (
  ...parameters: [...infer Given, options?: RequestOptions]
) => unknown
  ? Given
  : never;

/** The parameters of a list: its account or transaction, if it is of one, and the query. */
type ListParametersOf<Given> = Given extends readonly [infer Query extends object]
  ? [query: ListParameters<Query>]
  : Given extends [...infer Subject extends [unknown], query?: infer Query]
    ? [...Subject, query?: ListParameters<NonNullable<Query>>]
    : never;

type ItemOf<Request> = Request extends PagedRequest<infer Item, unknown> ? Item : never;

/** JSON values only; equal for equal requests. */
function stable(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return `${value}`;
  if (typeof value === "string") return value.startsWith("0x") ? value.toLowerCase() : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  if (Array.isArray(value)) return value.map(stable);
  const definedEntries = Object.entries(value).filter(
    ([, one]) => one !== undefined && one !== null,
  );
  return Object.fromEntries(definedEntries.map(([name, one]) => [name, stable(one)]));
}

const queryKeyOf = (
  explorer: ExplorerClient,
  operation?: string,
  ...parameters: readonly unknown[]
): QueryKey => [
  "mrc-explorer",
  explorer.toJSON().baseUrl,
  ...(operation === undefined ? [] : [operation, ...parameters.map(stable)]),
];

/** Calls a method of the client. */
async function callMethod<Resource extends keyof Methods, Action extends ActionOf<Resource>>(
  explorer: ExplorerClient,
  resource: Resource,
  action: Action,
  parameters: readonly unknown[],
): Promise<Awaited<ReturnType<MethodOf<Resource, Action>>>> {
  const methods: Methods[Resource] = explorer[resource];
  return Reflect.apply(methods[action], methods, parameters);
}

const resultQuery = <Data>(
  queryKey: QueryKey,
  read: (options: RequestOptions) => PromiseLike<Data>,
): ResultQuery<Data> => ({
  queryKey: queryKey as DataTag<QueryKey, Data>,
  queryFn: async ({ signal }) => read({ signal }),
  retry: false,
});

/** The query of a method that returns one result. */
const result =
  <Resource extends keyof Methods, Action extends ActionOf<Resource>>(
    resource: Resource,
    action: Action,
  ) =>
  (explorer: ExplorerClient, ...parameters: ParametersOf<MethodOf<Resource, Action>>) =>
    resultQuery<Awaited<ReturnType<MethodOf<Resource, Action>>>>(
      queryKeyOf(explorer, `${resource}.${action}`, ...parameters),
      (options) => callMethod(explorer, resource, action, [...parameters, options]),
    );

/** The query of a method that returns a list. */
const list =
  <
    Resource extends keyof Methods,
    Action extends ActionOf<Resource>,
    Item = ItemOf<ReturnType<MethodOf<Resource, Action>>>,
  >(
    resource: Resource,
    action: Action,
  ) =>
  (
    explorer: ExplorerClient,
    ...parameters: ListParametersOf<ParametersOf<MethodOf<Resource, Action>>>
  ): ListQuery<Item> => {
    const subject = parameters.filter((parameter) => typeof parameter === "string");
    const [query = {}] = parameters.slice(subject.length);
    return listQuery<Item>(
      queryKeyOf(explorer, `${resource}.${action}`, ...subject, query),
      async (paging, options) => {
        const pagedQuery = { ...Object(query), ...paging };
        const page = await callMethod(explorer, resource, action, [
          ...subject,
          pagedQuery,
          options,
        ]);
        return page as Page<Item, unknown>;
      },
    );
  };

/** The query of a list, from its key and a function that reads a page. */
const listQuery = <Item>(
  queryKey: QueryKey,
  read: (
    paging: { readonly resume: string | undefined },
    options: RequestOptions,
  ) => PromiseLike<Page<Item, unknown>>,
): ListQuery<Item> => ({
  queryKey: queryKey as ListQuery<Item>["queryKey"],
  async queryFn({ pageParam, signal }) {
    const page = await read({ resume: pageParam ?? undefined }, { signal });
    const { count, data, offset } = page;
    return { data, count, offset, cursor: page.hasNextPage() ? page.cursor : null };
  },
  initialPageParam: null,
  getNextPageParam: ({ cursor }) => cursor,
  retry: false,
});

/**
 * The options of each query: `useQuery(queries.balance(explorer, address))`, and for lists
 * `useInfiniteQuery(queries.transactions(explorer, address))`, whose pages continue where the
 * previous one ended, whatever has arrived since.
 *
 * @example
 * const { pages } = await queryClient.fetchInfiniteQuery(queries.transactions(explorer, address, {
 * limit: 25 }));
 * const balance = await queryClient.fetchQuery(queries.balance(explorer, address));
 */
export const queries = {
  /**
   * The key that all queries of an explorer begin with: `queryClient.invalidateQueries({
   * queryKey: queries.all(explorer) })`.
   */
  all: (explorer: ExplorerClient): QueryKey => queryKeyOf(explorer),
  /** `accounts.balance` (A1). */
  balance: result("accounts", "balance"),
  /** `accounts.balances` (A1): the balances of any number of addresses, in the order given. */
  balances: (explorer: ExplorerClient, addresses: readonly Address[]) =>
    resultQuery(queryKeyOf(explorer, "accounts.balance", addresses), (options) =>
      explorer.accounts.balances(addresses, options),
    ),
  /** `accounts.transactions` (A2). */
  transactions: <Simple extends boolean = false>(
    explorer: ExplorerClient,
    address: Address,
    query?: ListParameters<TransactionsQuery<Simple>>,
  ): ListQuery<ItemOf<TransactionsRequest<Simple>>> =>
    list<"accounts", "transactions", ItemOf<TransactionsRequest<Simple>>>(
      "accounts",
      "transactions",
    )(explorer, address, query),
  /** `accounts.internalTransactions` (A3). */
  internalTransactions: list("accounts", "internalTransactions"),
  /** `accounts.mrc20Transfers` (A4). */
  mrc20Transfers: list("accounts", "mrc20Transfers"),
  /** `accounts.mrc721Transfers` (A5). */
  mrc721Transfers: list("accounts", "mrc721Transfers"),
  /** `accounts.tokens` (A6). */
  tokens: list("accounts", "tokens"),
  /** `accounts.mrc20Tokens` (A7). */
  mrc20Tokens: list("accounts", "mrc20Tokens"),
  /** `accounts.mrc721Tokens` (A8). */
  mrc721Tokens: list("accounts", "mrc721Tokens"),
  /** `accounts.inventory` (A9). */
  inventory: list("accounts", "inventory"),
  /** `accounts.minedBlocks` (A10). */
  minedBlocks: list("accounts", "minedBlocks"),
  /** `tokens.totalSupply` (T1). */
  totalSupply: result("tokens", "totalSupply"),
  /** `tokens.balance` (T2). */
  tokenBalance: result("tokens", "balance"),
  /** `tokens.inventory` (T3). */
  holderInventory: result("tokens", "inventory"),
  /** `tokens.holderCount` (T4). */
  holderCount: result("tokens", "holderCount"),
  /** `transactions.status` (X1). */
  transactionStatus: result("transactions", "status"),
  /** `transactions.receiptStatus` (X2). */
  receiptStatus: result("transactions", "receiptStatus"),
  /** `transactions.internalTransactions` (X3). */
  transactionInternalTransactions: list("transactions", "internalTransactions"),
  /** `contracts.abi` (C1). */
  abi: result("contracts", "abi"),
  /** `contracts.code` (C2). */
  code: result("contracts", "code"),
  /** `tokens.info`. */
  tokenInfo: (explorer: ExplorerClient, token: Address) =>
    resultQuery(queryKeyOf(explorer, "tokens.info", token), (options) =>
      explorer.tokens.info(token, options),
    ),
  /** `tokens.transfers` (L1). */
  tokenTransfers: (
    explorer: ExplorerClient,
    token: Address,
    query: ListParameters<TokenTransfersQuery> = {},
  ) =>
    listQuery<TokenTransfer>(
      queryKeyOf(explorer, "tokens.transfers", token, query),
      (paging, options) => explorer.tokens.transfers(token, { ...query, ...paging }, options),
    ),
  /** `blocks.get` (B1). */
  block: result("blocks", "get"),
  /** `blocks.at`. */
  blockAt: (explorer: ExplorerClient, time: Date | string) =>
    resultQuery(queryKeyOf(explorer, "blocks.at", time), (options) =>
      explorer.blocks.at(time, options),
    ),
  /** `eventLogs.list` (L1). */
  eventLogs: list("eventLogs", "list"),
};

/** The queries of one explorer, which need it as an argument no more. */
export type ExplorerQueries = {
  readonly [Name in Exclude<keyof typeof queries, "transactions">]: (typeof queries)[Name] extends (
    explorer: ExplorerClient,
    ...parameters: infer Given
  ) => infer Query
    ? (...parameters: Given) => Query
    : never;
} & {
  /** `accounts.transactions` (A2). */
  readonly transactions: <Simple extends boolean = false>(
    address: Address,
    query?: ListParameters<TransactionsQuery<Simple>>,
  ) => ListQuery<ItemOf<TransactionsRequest<Simple>>>;
};

/**
 * Returns {@link queries} of one explorer, with `key` in place of its URL. Give it where a server
 * prefetches for browsers, which reach the explorer at another URL: the keys are then the same,
 * and the server's URL stays there.
 *
 * @example
 * const mainnet = createQueries(explorer, { key: "mainnet" });
 * const balance = await queryClient.fetchQuery(mainnet.balance(address));
 */
export function createQueries(
  explorer: ExplorerClient,
  { key }: { readonly key: string },
): ExplorerQueries {
  const named = (queryKey: QueryKey): QueryKey => ["mrc-explorer", key, ...queryKey.slice(2)];
  const bound = Object.entries(queries).map(([name, query]) => [
    name,
    (...parameters: readonly unknown[]) => {
      const options: QueryKey | { readonly queryKey: QueryKey } = Reflect.apply(query, queries, [
        explorer,
        ...parameters,
      ]);
      return "queryKey" in options
        ? { ...options, queryKey: named(options.queryKey) }
        : named(options);
    },
  ]);
  return Object.fromEntries(bound);
}
