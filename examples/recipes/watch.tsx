/** @jsxImportSource react */
// A hook that adds an account's new transactions to its history, while the page is visible.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type Address, type ExplorerClient, recordKey } from "mrc-explorer";
import { queries } from "mrc-explorer/tanstack";
import { useEffect, useState, useSyncExternalStore } from "react";

/** Returns whether the tab is visible. A server renders it as hidden. */
const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => !document.hidden,
    () => false,
  );

/**
 * Adds new transactions to the pages of `queries.transactions(explorer, account, { limit })`.
 * Returns the error of an outage until the next transaction arrives.
 */
export function useWatch(
  explorer: ExplorerClient,
  account: Address,
  limit = 25,
  pollInterval = 10_000,
): unknown {
  const client = useQueryClient();
  const isVisible = useIsVisible();
  const [error, setError] = useState<unknown>();
  const query = queries.transactions(explorer, account, { limit });
  const { isSuccess } = useInfiniteQuery({ ...query, enabled: false });
  useEffect(() => {
    if (!isSuccess || !isVisible) return;
    const { queryKey } = queries.transactions(explorer, account, { limit });
    const leaving = new AbortController();
    const watch = async () => {
      const news = explorer.accounts.watch(account, {
        kinds: ["transaction"],
        // Also finds what arrived while nobody watched.
        from: client.getQueryData(queryKey)?.pages[0]?.data[0]?.block_number ?? 0n,
        pollInterval,
        signal: leaving.signal,
        onError: setError,
        // Reads the pages again.
        onReorganisation: () => client.invalidateQueries({ queryKey }),
      });
      for await (const { record } of news) {
        setError(undefined);
        const key = recordKey(record);
        client.setQueryData(queryKey, (list) => {
          const [first, ...others] = list?.pages ?? [];
          const isKnown = list?.pages.some(({ data }) =>
            data.some((one) => recordKey(one) === key),
          );
          if (!list || !first || isKnown) return list;
          return { ...list, pages: [{ ...first, data: [record, ...first.data] }, ...others] };
        });
      }
    };
    // Errors that another poll cannot fix, such as a rejected key.
    watch().catch(setError);
    return () => leaving.abort();
  }, [client, explorer, account, limit, pollInterval, isSuccess, isVisible]);
  return error;
}

interface NewTransactionsProps {
  readonly explorer: ExplorerClient;
  readonly account: Address;
  readonly pollInterval?: number;
}

/** Keeps the history beside it up to date, and says so if that fails. */
export function NewTransactions({ explorer, account, pollInterval }: NewTransactionsProps) {
  const error = useWatch(explorer, account, 25, pollInterval);
  return error === undefined ? null : (
    <p role="status">New transactions may be missing; trying again…</p>
  );
}
