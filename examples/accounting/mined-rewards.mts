// The rewards that a miner earned in a month.
import { ExplorerClient, formatTokenAmount } from "mrc-explorer";

const { accounts } = new ExplorerClient();
const miner = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";
const month = { since: "2023-11-01", until: "2023-12-01" };

let earned = 0n;
for await (const { reward } of accounts.minedBlocks(miner, month)) earned += reward;
console.log(formatTokenAmount(earned, 18));
