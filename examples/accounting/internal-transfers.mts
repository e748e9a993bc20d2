// The coins that contracts sent to an account, or passed on for it.
import { ExplorerClient, formatTokenAmount } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";

// A delegated call has the value of its caller, but moves nothing.
for await (const call of accounts.internalTransactions(account))
  if (call.value > 0n && call.status !== "0" && call.trace_type !== "delegatecall")
    console.log(call.timestamp.toISOString(), call.sender, formatTokenAmount(call.value, 18));
