/** @jsxImportSource react */
// app/prefetched/[address]/overview.tsx: the balance and the history of an account. The server sends
// their first state; the browser reads on through the proxy.
"use client";

import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { type Address, ExplorerClient, formatTokenAmount, recordKey } from "mrc-explorer";
import { createQueries } from "mrc-explorer/tanstack";
import { type ReactNode, useState } from "react";

const origin = globalThis.location?.origin ?? "http://localhost";
const explorer = new ExplorerClient({
  baseUrl: `${origin}/api/explorer`,
  apiKey: "added-by-the-proxy",
});
const mainnet = createQueries(explorer, { key: "mainnet" });

/** Provides the queries. What the server sent needs no request for `staleTime` milliseconds. */
export function Queries({ children }: { readonly children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } }),
  );
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

export function Overview({ account }: { readonly account: Address }) {
  const balance = useQuery(mainnet.balance(account));
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery(
    mainnet.transactions(account, { limit: 25 }),
  );
  return (
    <main>
      <p>{balance.data !== undefined && formatTokenAmount(balance.data, 18)} coins</p>
      <ul>
        {data?.pages
          .flatMap((page) => page.data)
          .map((transaction) => (
            <li key={recordKey(transaction)}>
              {transaction.timestamp.toISOString()} {formatTokenAmount(transaction.value, 18)}
            </li>
          ))}
      </ul>
      <button type="button" disabled={!hasNextPage} onClick={() => fetchNextPage()}>
        More
      </button>
    </main>
  );
}
