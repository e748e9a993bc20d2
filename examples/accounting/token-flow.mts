// What an account received of a token, less what it sent.
import { ExplorerClient, formatTokenAmount, sameAddress } from "mrc-explorer";

const { accounts, tokens } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

let net = 0n;
for await (const { token_address, sender, receiver, value } of accounts.mrc20Transfers(account)) {
  if (!sameAddress(token_address, token)) continue;
  if (sameAddress(receiver, account)) net += value;
  if (sameAddress(sender, account)) net -= value;
}
const { decimals, symbol } = await tokens.info(token);
console.log(formatTokenAmount(net, decimals), symbol);
