// A composable for Vue: the transactions of an account that arrive while a component is shown.
import type { Address, ExplorerClient, Transaction } from "mrc-explorer";
import { onScopeDispose, shallowRef } from "vue";

/**
 * Returns the transactions, newest first, and the error of an outage until it ends. Pass the client
 * as it is: in `reactive` or `ref`, Vue wraps it in a proxy, through which its methods fail.
 */
export function useNewTransactions(
  explorer: ExplorerClient,
  account: Address,
  pollInterval = 10_000,
) {
  // Shallow, because records never change.
  const records = shallowRef<readonly Transaction[]>([]);
  const error = shallowRef<unknown>();
  const leaving = new AbortController();
  const report = (failure: unknown) => {
    error.value = failure;
  };
  const watch = async () => {
    const { signal } = leaving;
    const options = { kinds: ["transaction"], pollInterval, signal, onError: report } as const;
    for await (const { record } of explorer.accounts.watch(account, options)) {
      error.value = undefined;
      records.value = [record, ...records.value];
    }
  };
  watch().catch(report);
  onScopeDispose(() => leaving.abort());
  return { records, error };
}
