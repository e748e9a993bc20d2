/** @jsxImportSource react */
// The history of an account, loaded while the reader scrolls: React with TanStack Query.
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  type Address,
  type ExplorerClient,
  formatTokenAmount,
  isExplorerError,
  recordKey,
} from "mrc-explorer";
import { queries } from "mrc-explorer/tanstack";
import { useEffect, useRef } from "react";

interface HistoryProps {
  readonly explorer: ExplorerClient;
  readonly account: Address;
}

export function History({ explorer, account }: HistoryProps) {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(
    queries.transactions(explorer, account, { limit: 25 }),
  );

  const end = useRef<HTMLDivElement>(null);
  const mayLoad = hasNextPage && !isFetching && !error;
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (mayLoad && entries.some(({ isIntersecting }) => isIntersecting)) fetchNextPage();
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [mayLoad, fetchNextPage]);

  return (
    <section>
      <ul>
        {data?.pages
          .flatMap((page) => page.data)
          .map((transaction) => (
            <li key={recordKey(transaction)} data-key={recordKey(transaction)}>
              {transaction.timestamp.toISOString()} {formatTokenAmount(transaction.value, 18)}
            </li>
          ))}
      </ul>
      {error && (
        <p role="alert">
          {isExplorerError(error) ? error.shortMessage : "Something went wrong"}{" "}
          <button type="button" onClick={() => fetchNextPage()}>
            Try again
          </button>
        </p>
      )}
      <div ref={end}>{isFetching && "Loading…"}</div>
    </section>
  );
}
