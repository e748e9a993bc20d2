// The fees that an account paid in a month.
import { ExplorerClient, formatTokenAmount } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const month = { since: "2023-11-01", until: "2023-12-01" };

let paid = 0n;
const sent = accounts.transactions(account, { ...month, condition: "from", simple: true });
for await (const { tx_fee } of sent) paid += tx_fee ?? 0n;
console.log(formatTokenAmount(paid, 18));
