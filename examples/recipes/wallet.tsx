/** @jsxImportSource react */
// Shows the transactions of the connected wallet. wagmi knows its account and the latest block, and
// the explorer knows its history.
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type Address, type ExplorerClient, recordKey, sameAddress } from "mrc-explorer";
import { formatEther } from "viem";
import { useBlockNumber, useConnection } from "wagmi";

/**
 * Queries the newest transactions of an account. The key contains the latest block, so each new block
 * loads the list again.
 */
export const transactionsQuery = (explorer: ExplorerClient, account: Address, block?: bigint) =>
  queryOptions({
    // Not a bigint: TanStack Query cannot write one as JSON.
    queryKey: ["transactions", account, String(block)],
    queryFn: async ({ signal }) =>
      (await explorer.accounts.transactions(account, { limit: 10 }, { signal })).data,
    // The old list stays visible until the new one has loaded.
    placeholderData: keepPreviousData,
    // The client has retried already.
    retry: false,
  });

interface TransactionsProps {
  readonly explorer: ExplorerClient;
  readonly account: Address;
}

function Transactions({ explorer, account }: TransactionsProps) {
  const { data: block } = useBlockNumber({ watch: true });
  const { data, error } = useQuery(transactionsQuery(explorer, account, block));
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <ul>
      {data?.map((transaction) => (
        <li key={recordKey(transaction)}>
          {sameAddress(transaction.sender, account) ? "sent" : "received"}{" "}
          {formatEther(transaction.value)}
        </li>
      ))}
    </ul>
  );
}

export function Wallet({ explorer }: { readonly explorer: ExplorerClient }) {
  const { address } = useConnection();
  if (address === undefined) return <p>Connect a wallet</p>;
  return <Transactions explorer={explorer} account={address} />;
}
