/** @jsxImportSource react */
// app/prefetched/[address]/page.tsx: sends a page with the first records, so that the browser shows
// them without a request of its own.
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { type Address, ExplorerClient } from "mrc-explorer";
import { createQueries } from "mrc-explorer/tanstack";
import { Overview, Queries } from "./overview";

interface PageProps {
  readonly params: Promise<{ readonly address: Address }>;
}

let client: ExplorerClient | undefined;

export default async function PrefetchedPage({ params }: PageProps) {
  const { address } = await params;
  client ??= new ExplorerClient({ totalTimeout: 10_000 });
  // The same key as in the browser, in place of the explorer's internal URL.
  const mainnet = createQueries(client, { key: "mainnet" });
  // One for each visitor, because it holds what a visitor may see.
  const queryClient = new QueryClient();
  await Promise.all([
    queryClient.prefetchQuery(mainnet.balance(address)),
    queryClient.prefetchInfiniteQuery(mainnet.transactions(address, { limit: 25 })),
  ]);
  return (
    <Queries>
      <HydrationBoundary state={dehydrate(queryClient)}>
        <Overview account={address} />
      </HydrationBoundary>
    </Queries>
  );
}
