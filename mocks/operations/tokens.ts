// Tokens: total supply, balance, a holder's inventory, holder count (T1 to T4).

import type { ChainReader } from "../chain/reader.ts";
import type { Hex, Token } from "../chain/records.ts";
import { ServiceError } from "../message/api.ts";
import { ascending, decimal, lower } from "./format.ts";
import type { OperationHandler } from "./handler.ts";

/** Returns the token at an address, or throws a 404. */
function tokenAt(chain: ChainReader, address: Hex): Token {
  const token = chain.token(lower(address));
  if (token === undefined) throw new ServiceError(404, `contract_hash: no token at ${address}`);
  return token;
}

export const T1: OperationHandler<"T1"> = (chain, { contract_hash }) => ({
  data: { total_supply: decimal(tokenAt(chain, contract_hash).totalSupply) },
});

export const T2: OperationHandler<"T2"> = (chain, { contract_hash, address_hash }) => {
  const token = tokenAt(chain, contract_hash);
  return { data: { balance: decimal(chain.tokenBalance(token.address, lower(address_hash))) } };
};

/** The page of a list without pagination (S17). */
const allRecords = { limit: Number.POSITIVE_INFINITY, offset: 0 };

export const T3: OperationHandler<"T3"> = (chain, { contract_hash, address_hash }) => {
  const { address, name, symbol } = tokenAt(chain, contract_hash);
  return {
    ...ascending(
      chain.nfts(address, lower(address_hash)),
      allRecords,
      (nft) => ({ holder_address: nft.owner, token_id: decimal(nft.tokenId), token_uri: nft.uri }),
      (fitting) => `limit=${fitting} of accounts.inventory (A9), which lists a collection in pages`,
    ),
    token_name: name,
    token_symbol: symbol,
  };
};

export const T4: OperationHandler<"T4"> = (chain, { contract_hash }) => ({
  data: { holder_count: decimal(tokenAt(chain, contract_hash).holderCount) },
});
