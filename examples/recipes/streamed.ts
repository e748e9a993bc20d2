// New transactions as a query of TanStack: a watch fills it while a component shows it.
import { queryOptions, experimental_streamedQuery as streamedQuery } from "@tanstack/react-query";
import type { Address, ExplorerClient, Transaction } from "mrc-explorer";

const MAX_SHOWN = 100;

/** For `const { data = [], error } = useQuery(newTransactions(explorer, account))`: newest first. */
export const newTransactions = (
  explorer: ExplorerClient,
  account: Address,
  pollInterval = 10_000,
) =>
  queryOptions({
    queryKey: [explorer.toJSON().baseUrl, "new transactions", account],
    queryFn: streamedQuery({
      streamFn: ({ signal }) =>
        explorer.accounts.watch(account, { kinds: ["transaction"], pollInterval, signal }),
      reducer: (shown: readonly Transaction[], { record }) =>
        [record, ...shown].slice(0, MAX_SHOWN),
      initialValue: [],
      // Keeps the records when the query starts again, for example after the window got the focus.
      refetchMode: "append",
    }),
    // The watch continues after outages by itself.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
