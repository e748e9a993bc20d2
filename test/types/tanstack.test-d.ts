// What TanStack Query infers of our options: the data of hooks, of the client's methods and of the cache.
import type { InfiniteData } from "@tanstack/query-core";
import {
  QueryClient,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { expectTypeOf, test } from "vitest";
import type {
  AccountBalance,
  BlockReward,
  ExplorerClient,
  SimpleTransaction,
  Transaction,
} from "../../src/index.ts";
import { type QueryPage, queries } from "../../src/tanstack.ts";

declare const explorer: ExplorerClient;
const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
type Pages<Item> = InfiniteData<QueryPage<Item>>;

test("hooks have the data of the method", () => {
  expectTypeOf(useQuery(queries.balance(explorer, address)).data).toEqualTypeOf<
    bigint | undefined
  >();
  expectTypeOf(useSuspenseQuery(queries.block(explorer, 1n)).data).toEqualTypeOf<BlockReward>();
  expectTypeOf(useInfiniteQuery(queries.transactions(explorer, address)).data).toEqualTypeOf<
    Pages<Transaction> | undefined
  >();
  expectTypeOf(
    useSuspenseInfiniteQuery(queries.transactions(explorer, address, { simple: true })).data,
  ).toEqualTypeOf<Pages<SimpleTransaction>>();
  const [balance, supply] = useQueries({
    queries: [queries.balances(explorer, [address]), queries.totalSupply(explorer, address)],
  });
  expectTypeOf(balance.data).toEqualTypeOf<AccountBalance[] | undefined>();
  expectTypeOf(supply.data).toEqualTypeOf<bigint | null | undefined>();
});

test("options can be added, such as select and a poll interval", () => {
  const { data } = useInfiniteQuery({
    ...queries.transactions(explorer, address, { limit: 25 }),
    refetchInterval: 5_000,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
  expectTypeOf(data).toEqualTypeOf<Transaction[] | undefined>();
});

test("the cache has the type of its key", async () => {
  const client = new QueryClient();
  const { queryKey } = queries.balance(explorer, address);
  expectTypeOf(client.getQueryData(queryKey)).toEqualTypeOf<bigint | undefined>();
  expectTypeOf(client.fetchQuery(queries.balance(explorer, address))).resolves.toBeBigInt();
  const list = queries.transactions(explorer, address);
  expectTypeOf(client.getQueryData(list.queryKey)).toEqualTypeOf<Pages<Transaction> | undefined>();
  expectTypeOf(client.ensureInfiniteQueryData(list)).resolves.toExtend<Pages<Transaction>>();
});

test("parameters are those of the method, without those of its iteration", () => {
  // @ts-expect-error there is no such parameter
  queries.transactions(explorer, address, { limt: 5 });
  // @ts-expect-error the query reads on by itself
  queries.transactions(explorer, address, { resume: "" });
  // @ts-expect-error no address
  queries.balance(explorer, "alice");
});
