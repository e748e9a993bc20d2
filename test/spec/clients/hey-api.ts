// The service asked through hey-api's client, its answers checked by the zod schemas it generates.
import { createClient } from "./hey-api/client/index.ts";
import {
  accountsBalance,
  accountsTransactions,
  blocksGet,
  tokensTotalSupply,
} from "./hey-api/sdk.gen.ts";
import {
  zAccountsBalanceResponse,
  zAccountsTransactionsResponse,
  zBlocksGetResponse,
  zError,
  zTokensTotalSupplyResponse,
} from "./hey-api/zod.gen.ts";
import type { Asked, Questions } from "./questions.ts";

export async function ask(baseUrl: string, { address, token, block }: Questions): Promise<Asked> {
  const client = createClient({ baseUrl, auth: "any" });
  const [rewards, supply, balances, transactions, missing] = await Promise.all([
    blocksGet({ client, path: { block_number: block } }),
    tokensTotalSupply({ client, path: { contract_hash: token } }),
    accountsBalance({ client, body: { addresses: [address] } }),
    accountsTransactions({
      client,
      path: { address_hash: address },
      query: { limit: 2, condition: "from" },
    }),
    blocksGet({ client, path: { block_number: "999" } }),
  ]);
  return {
    miner: zBlocksGetResponse.parse(rewards.data).results.data.miner,
    supply: zTokensTotalSupplyResponse.parse(supply.data).results.data.total_supply,
    balances: zAccountsBalanceResponse.parse(balances.data).results.data,
    hashes: zAccountsTransactionsResponse
      .parse(transactions.data)
      .results.data.map(({ transaction_hash }) => transaction_hash),
    missing: zError.parse(missing.error).status,
  };
}
