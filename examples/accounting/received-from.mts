// The coins that an account received from one payer.
import { ExplorerClient, formatTokenAmount, sameAddress } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const payer = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";

let received = 0n;
// A failed transaction moves nothing.
for await (const { sender, value, tx_status } of accounts.transactions(account, {
  condition: "to",
}))
  if (sameAddress(sender, payer) && tx_status !== "0") received += value;
console.log(formatTokenAmount(received, 18));
