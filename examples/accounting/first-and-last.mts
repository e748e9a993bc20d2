// The first and the last time that an account sent or received anything.
import { ExplorerClient } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const lists = [
  accounts.transactions(account),
  accounts.internalTransactions(account),
  accounts.mrc20Transfers(account),
  accounts.mrc721Transfers(account),
];

let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
for (const list of lists)
  for await (const { timestamp } of list) {
    first = Math.min(first, timestamp.getTime());
    last = Math.max(last, timestamp.getTime());
  }
console.log(new Date(first).toISOString(), new Date(last).toISOString());
