// The transactions of an account that failed. Each has cost its fee.
import { ExplorerClient, formatTokenAmount } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";

const sent = accounts.transactions(account, { condition: "from", simple: true });
for await (const { transaction_hash, tx_fee, tx_status } of sent)
  if (tx_status === "0") console.log(transaction_hash, formatTokenAmount(tx_fee ?? 0n, 18));
