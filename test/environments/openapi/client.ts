// The service asked through openapi-typescript's types and openapi-fetch.
import createClient from "openapi-fetch";
import type { Asked, Questions } from "./questions.ts";
import type { paths } from "./types.ts";

export async function ask(baseUrl: string, { address, token, block }: Questions): Promise<Asked> {
  const explorer = createClient<paths>({ baseUrl, headers: { "api-key": "any" } });
  const [rewards, supply, balances, transactions, missing] = await Promise.all([
    explorer.GET("/v1/blocks/{block_number}", { params: { path: { block_number: block } } }),
    explorer.GET("/v1/tokens/{contract_hash}/total-supply", {
      params: { path: { contract_hash: token } },
    }),
    explorer.POST("/v1/accounts/balance", { body: { addresses: [address] } }),
    explorer.GET("/v1/accounts/{address_hash}/transactions", {
      params: { path: { address_hash: address }, query: { limit: 2, condition: "from" } },
    }),
    explorer.GET("/v1/blocks/{block_number}", { params: { path: { block_number: "999" } } }),
  ]);
  return {
    miner: rewards.data?.results.data.miner,
    supply: supply.data?.results.data.total_supply,
    balances: balances.data?.results.data,
    hashes: transactions.data?.results.data.map(({ transaction_hash }) => transaction_hash),
    missing: missing.error?.status,
  };
}
