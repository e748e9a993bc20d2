// The ten counterparties with which an account exchanged the most coins.
import { ExplorerClient, formatTokenAmount, sameAddress } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";

const moved = new Map<string, bigint>();
for await (const { sender, receiver, value, tx_status } of accounts.transactions(account)) {
  const other = (sameAddress(sender, account) ? receiver : sender) ?? "a new contract";
  if (tx_status !== "0" && other !== account) moved.set(other, (moved.get(other) ?? 0n) + value);
}
const largest = [...moved].sort(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, 10);
for (const [other, amount] of largest) console.log(other, formatTokenAmount(amount, 18));
