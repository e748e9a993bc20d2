/** @jsxImportSource react */
// app/accounts/[address]/live.tsx: the history and the new transactions of an account, in the
// browser, through the proxy.
"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type Address, ExplorerClient } from "mrc-explorer";
import { useState } from "react";
import { History } from "./history";
import { NewTransactions } from "./watch";

/**
 * The page's client. Next renders client components on the server, too, where nothing is requested.
 */
function createClient(): ExplorerClient {
  const origin = globalThis.location?.origin ?? "http://localhost";
  return new ExplorerClient({ baseUrl: `${origin}/api/explorer`, apiKey: "added-by-the-proxy" });
}

export function LiveAccount({ account }: { readonly account: Address }) {
  const [queryClient] = useState(() => new QueryClient());
  const [explorer] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <NewTransactions explorer={explorer} account={account} />
      <History explorer={explorer} account={account} />
    </QueryClientProvider>
  );
}
