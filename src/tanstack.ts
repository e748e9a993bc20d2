// Options for TanStack Query: the key and the function of each query.

/**
 * Options for TanStack Query (React, Vue, Solid, Svelte, Angular): {@link queries}.
 *
 * @module mrc-explorer/tanstack
 */

import type { DataTag, InfiniteData, QueryKey } from "@tanstack/query-core";
import type { ExplorerClient } from "./client.ts";
import type { Methods } from "./contract/operation-names.ts";
import type { RequestOptions } from "./http/call.ts";
import type { IterationOptions, Page, PagedRequest } from "./lists/paged-request.ts";
import type { Address } from "./models/primitives.ts";
import type { TransactionsRequest } from "./resources/pages.ts";
import type { TransactionsQuery } from "./resources/queries.ts";

/** Options for `useQuery`, `fetchQuery` and the like. */
export interface ResultQuery<Data> {
  /** Contains JSON values only, and is the same for every spelling of an address or a number. */
  readonly queryKey: DataTag<QueryKey, Data>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** False, because the client already retries. */
  readonly retry: false;
}

/** A page of an infinite query, without functions, so that a server component can send it. */
export interface QueryPage<Item> {
  /** The records, without those of earlier pages. */
  readonly data: readonly Item[];
  /** The server's count of records, in the list or only on the page; null without one. */
  readonly count: number | null;
  /** How many records of the list come before this page. */
  readonly offset: number;
  /** The cursor of the next page; null on the last page. */
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
  /** False, because the client already retries. */
  readonly retry: false;
}

/** The parameters of a list, without the options of iteration, which the query sets. */
type ListParameters<Query> = Omit<Query, keyof IterationOptions>;

/** The properties of a client that have methods. */
type Resource = keyof Methods;

/** A method of the client, including methods that combine operations, such as `tokens.info`. */
type MethodOf<Name extends Resource, Action extends keyof ExplorerClient[Name]> = Extract<
  ExplorerClient[Name][Action],
  (...parameters: never[]) => unknown
>;

/** The parameters of a method, without its options. */
type ParametersOf<Method> = Method extends (
  ...parameters: [...infer Parameters, options?: RequestOptions]
) => unknown
  ? Parameters
  : never;

/** The parameters of a list: its account or transaction, if it has one, and the query. */
type ListParametersOf<Parameters> = Parameters extends readonly [infer Query extends object]
  ? [query: ListParameters<Query>]
  : Parameters extends [...infer Subject extends [unknown], query?: infer Query]
    ? [...Subject, query?: ListParameters<NonNullable<Query>>]
    : never;

type ItemOf<Request> = Request extends PagedRequest<infer Item, unknown> ? Item : never;

/** Converts a value to JSON values that are equal for equal requests. */
function stable(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return `${value}`;
  if (typeof value === "string") return value.startsWith("0x") ? value.toLowerCase() : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  if (Array.isArray(value)) return value.map(stable);
  const entries = Object.entries(value).filter(([, field]) => (field ?? undefined) !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [name, stable(field)]));
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

/** Returns the query of a method that returns one result. */
const result =
  <Name extends Resource, Action extends keyof ExplorerClient[Name] & string>(
    name: Name,
    action: Action,
  ) =>
  (
    explorer: ExplorerClient,
    ...parameters: ParametersOf<MethodOf<Name, Action>>
  ): ResultQuery<Awaited<ReturnType<MethodOf<Name, Action>>>> => ({
    queryKey: queryKeyOf(explorer, `${name}.${action}`, ...parameters) as never,
    queryFn: ({ signal }) => call(explorer, name, action, [...parameters, { signal }]),
    retry: false,
  });

/** Returns the query of a method that returns a list. */
const list =
  <
    Name extends Resource,
    Action extends keyof ExplorerClient[Name] & string,
    Item = ItemOf<ReturnType<MethodOf<Name, Action>>>,
  >(
    name: Name,
    action: Action,
  ) =>
  (
    explorer: ExplorerClient,
    ...parameters: ListParametersOf<ParametersOf<MethodOf<Name, Action>>>
  ): ListQuery<Item> => {
    const subject = parameters.filter((parameter) => typeof parameter === "string");
    const [query = {}] = parameters.slice(subject.length);
    return {
      queryKey: queryKeyOf(explorer, `${name}.${action}`, ...subject, query) as never,
      async queryFn({ pageParam, signal }) {
        const paged = { ...Object(query), resume: pageParam ?? undefined };
        const page = await call<Page<Item>>(explorer, name, action, [
          ...subject,
          paged,
          { signal },
        ]);
        const { count, data, offset } = page;
        return { data, count, offset, cursor: page.hasNextPage() ? page.cursor : null };
      },
      initialPageParam: null,
      getNextPageParam: ({ cursor }) => cursor,
      retry: false,
    };
  };

/** Calls a method of the client. */
async function call<Data>(
  explorer: ExplorerClient,
  name: Resource,
  action: string,
  parameters: readonly unknown[],
): Promise<Data> {
  const resource = explorer[name];
  return Reflect.apply(Reflect.get(resource, action), resource, parameters);
}

/**
 * The options of each query: `useQuery(queries.balance(explorer, address))` or, for lists,
 * `useInfiniteQuery(queries.transactions(explorer, address))`. Each page continues where the page
 * before it ended, even if new records have arrived.
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
  /** `accounts.balances` (A1): the balances of any number of addresses, in their order. */
  balances: result("accounts", "balances"),
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
  tokenInfo: result("tokens", "info"),
  /** `tokens.transfers` (L1). */
  tokenTransfers: list("tokens", "transfers"),
  /** `blocks.get` (B1). */
  block: result("blocks", "get"),
  /** `blocks.at`. */
  blockAt: result("blocks", "at"),
  /** `eventLogs.list` (L1). */
  eventLogs: list("eventLogs", "list"),
};

/** The queries of one explorer, which take no explorer as their argument. */
export type ExplorerQueries = {
  readonly [Name in Exclude<keyof typeof queries, "transactions">]: (typeof queries)[Name] extends (
    explorer: ExplorerClient,
    ...parameters: infer Parameters
  ) => infer Query
    ? (...parameters: Parameters) => Query
    : never;
} & {
  /** `accounts.transactions` (A2). */
  readonly transactions: <Simple extends boolean = false>(
    address: Address,
    query?: ListParameters<TransactionsQuery<Simple>>,
  ) => ListQuery<ItemOf<TransactionsRequest<Simple>>>;
};

/**
 * Returns {@link queries} of one explorer, with `key` instead of its URL in the query keys. Use it
 * if a server prefetches for browsers that reach the explorer at another URL: the query keys are
 * then the same, and browsers never see the server's URL.
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
