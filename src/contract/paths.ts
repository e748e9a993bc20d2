// The paths of the operations. Plain data, so that the proxy need not load the schemas.

/** The path of each operation, with its path parameters in braces. */
export const paths = {
  T1: "/v1/tokens/{contract_hash}/total-supply",
  T2: "/v1/tokens/{contract_hash}/balance/{address_hash}",
  T3: "/v1/tokens/{contract_hash}/inventory",
  T4: "/v1/tokens/{contract_hash}/holder-count",
  A1: "/v1/accounts/balance",
  A2: "/v1/accounts/{address_hash}/transactions",
  A3: "/v1/accounts/{address_hash}/internal-transactions",
  A4: "/v1/accounts/{address_hash}/token-transfer/mrc20",
  A5: "/v1/accounts/{address_hash}/token-transfer/mrc721",
  A6: "/v1/accounts/{address_hash}/tokens",
  A7: "/v1/accounts/{address_hash}/tokens/mrc20",
  A8: "/v1/accounts/{address_hash}/tokens/mrc721",
  A9: "/v1/accounts/{contract_address}/tokens/inventory",
  A10: "/v1/accounts/{address_hash}/mined-blocks",
  X1: "/v1/transactions/{transaction_hash}/transaction-status",
  X2: "/v1/transactions/{transaction_hash}/receipt-status",
  X3: "/v1/transactions/{transaction_hash}/internal-transactions",
  C1: "/v1/contracts/{contract_hash}/abi",
  C2: "/v1/contracts/{contract_hash}/code",
  C3: "/v1/contracts/{contract_hash}/verify",
  B1: "/v1/blocks/{block_number}",
  L1: "/v1/event-logs",
} as const;

/** The paths of WEMIX's explorer that differ from the specification. */
export const wemixPaths = {
  T3: "/v1/tokens/{contract_hash}/inventory/{address_hash}",
  A4: "/v1/accounts/{address_hash}/token-transfer/erc20",
  A5: "/v1/accounts/{address_hash}/token-transfer/erc721",
  A7: "/v1/accounts/{address_hash}/tokens/erc20",
  A8: "/v1/accounts/{address_hash}/tokens/erc721",
} as const;
