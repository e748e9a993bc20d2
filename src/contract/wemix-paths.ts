// The paths of WEMIX's explorer that differ: plain data, so that a proxy needs no schemas.

/** The paths that WEMIX's explorer has instead. */
export const wemixPaths = {
  T3: "/v1/tokens/{contract_hash}/inventory/{address_hash}",
  A4: "/v1/accounts/{address_hash}/token-transfer/erc20",
  A5: "/v1/accounts/{address_hash}/token-transfer/erc721",
  A7: "/v1/accounts/{address_hash}/tokens/erc20",
  A8: "/v1/accounts/{address_hash}/tokens/erc721",
} as const;
