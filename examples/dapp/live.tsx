/** @jsxImportSource react */
// The page of an account in React, from the recipes: its new transactions as they arrive, and its
// history with infinite scroll.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { isAddress } from "mrc-explorer";
import { createRoot } from "react-dom/client";
import { History } from "../recipes/history.tsx";
import { NewTransactions } from "../recipes/watch.tsx";
import { connect } from "./connect.ts";

const main = document.querySelector("main");
if (main === null) throw new Error("The page has no <main>");

const { explorer, first, pay } = await connect();
const account = new URLSearchParams(location.search).get("address") ?? first;

createRoot(main).render(
  isAddress(account) ? (
    <QueryClientProvider client={new QueryClient()}>
      <h1>{account}</h1>
      {pay && (
        <button type="button" onClick={pay}>
          Let a customer pay
        </button>
      )}
      <h2>New transactions</h2>
      <NewTransactions explorer={explorer} account={account} pollInterval={1_000} />
      <h2>History</h2>
      <History explorer={explorer} account={account} />
    </QueryClientProvider>
  ) : (
    <p>Add ?address= and an address to this page's own.</p>
  ),
);
