// The service asked through orval's client, its answers checked by the zod schemas it generates; and its MSW mocks.
import { setupServer } from "msw/node";
import { getMRCBlockExplorerMock } from "./orval/client.msw.ts";
import {
  accountsBalance,
  accountsTransactions,
  blocksGet,
  tokensTotalSupply,
} from "./orval/client.ts";
import {
  AccountsBalanceResponse,
  AccountsTransactionsResponse,
  BlocksGetResponse,
  TokensTotalSupplyResponse,
} from "./orval/zod.ts";
import type { Asked, Questions } from "./questions.ts";

const headers = { "api-key": "any" };

/** Asks the address that the client was generated for. */
export async function ask(_: string, { address, token, block }: Questions): Promise<Asked> {
  const [rewards, supply, balances, transactions, missing] = await Promise.all([
    blocksGet(block, { headers }),
    tokensTotalSupply(token, { headers }),
    accountsBalance({ addresses: [address] }, { headers }),
    accountsTransactions(address, { limit: 2, condition: "from" }, { headers }),
    blocksGet("999", { headers }),
  ]);
  return {
    miner: BlocksGetResponse.parse(rewards.data).results.data.miner,
    supply: TokensTotalSupplyResponse.parse(supply.data).results.data.total_supply,
    balances: AccountsBalanceResponse.parse(balances.data).results.data,
    hashes: AccountsTransactionsResponse.parse(transactions.data).results.data.map(
      ({ transaction_hash }) => transaction_hash,
    ),
    missing: missing.status === 200 ? undefined : missing.data.status,
  };
}

/** What the generated mocks answer to the same questions. */
export async function askMocks(questions: Questions): Promise<Asked> {
  const server = setupServer(...getMRCBlockExplorerMock());
  server.listen();
  try {
    return await ask("", questions);
  } finally {
    server.close();
  }
}
