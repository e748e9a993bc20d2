// The contracts that an account created by its transactions.
import { ExplorerClient } from "mrc-explorer";
import { getContractAddress } from "viem";

const { accounts } = new ExplorerClient();
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

const sent = await accounts.transactions(account, { condition: "from" }).collect();
// The nonce of a transaction is the number of the account's transactions before it.
for (const [nonce, { receiver, tx_status }] of sent.reverse().entries())
  if (receiver === null && tx_status !== "0")
    console.log(getContractAddress({ from: account, nonce: BigInt(nonce) }).toLowerCase());
