/** @jsxImportSource react */
// app/accounts/[address]/page.tsx: an account, rendered on the server. The API key stays there.
import { type Address, ExplorerClient, formatTokenAmount, recordKey } from "mrc-explorer";

let client: ExplorerClient | undefined;

/**
 * One client for all requests, so that they share its rate limit. Created on first use: a build has
 * no API key.
 */
function explorer(): ExplorerClient {
  client ??= new ExplorerClient({
    // Next keeps each response for ten seconds.
    fetchOptions: { next: { revalidate: 10 } },
    totalTimeout: 10_000,
  });
  return client;
}

interface PageProps {
  readonly params: Promise<{ readonly address: Address }>;
}

export default async function AccountPage({ params }: PageProps) {
  const { address } = await params;
  const { accounts } = explorer();
  const [balance, { data }] = await Promise.all([
    accounts.balance(address),
    accounts.transactions(address, { limit: 10 }),
  ]);
  return (
    <main>
      <h1>{address}</h1>
      <p>{formatTokenAmount(balance, 18)} coins</p>
      <ul>
        {data.map((transaction) => (
          <li key={recordKey(transaction)}>
            {transaction.timestamp.toISOString()} {formatTokenAmount(transaction.value, 18)}
          </li>
        ))}
      </ul>
    </main>
  );
}
