/** @jsxImportSource react */
// A hook and a list for the transactions of an account that arrive while the page is open.
import {
  type Address,
  type ExplorerClient,
  formatTokenAmount,
  recordKey,
  type Transaction,
} from "mrc-explorer";
import { useEffect, useState } from "react";

/**
 * Returns the transactions that arrive while the component is shown, newest first, and the error of
 * an outage until it ends.
 */
export function useWatch(explorer: ExplorerClient, account: Address, pollInterval = 10_000) {
  const [records, setRecords] = useState<readonly Transaction[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const watch = async () => {
      const options = { kinds: ["transaction"], pollInterval, signal, onError: setError } as const;
      for await (const { record } of explorer.accounts.watch(account, options)) {
        setError(undefined);
        setRecords((before) => [record, ...before]);
      }
    };
    // Errors that another poll cannot fix, such as a rejected key.
    watch().catch(setError);
    return () => {
      leaving.abort();
      setRecords([]);
    };
  }, [explorer, account, pollInterval]);
  return { records, error };
}

interface NewTransactionsProps {
  readonly explorer: ExplorerClient;
  readonly account: Address;
  readonly pollInterval?: number;
}

export function NewTransactions({ explorer, account, pollInterval }: NewTransactionsProps) {
  const { records, error } = useWatch(explorer, account, pollInterval);
  return (
    <section aria-live="polite">
      {error !== undefined && <p role="status">New transactions may be missing; trying again…</p>}
      <ul>
        {records.map((record) => (
          <li key={recordKey(record)} data-key={recordKey(record)}>
            {record.timestamp.toISOString()} {formatTokenAmount(record.value, 18)}
          </li>
        ))}
      </ul>
    </section>
  );
}
