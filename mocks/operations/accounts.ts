// Accounts: balances, transactions, internal transactions, transfers, tokens, inventory, mined
// blocks (A1 to A10).
import type { TokenEntryWire } from "../../src/models/holdings.ts";
import { listOf } from "../chain/listing.ts";
import type { Block, Holding } from "../chain/records.ts";
import { blockReward } from "./blocks.ts";
import { ascending, decimal, decimalOrNull, lower, newestFirst, range } from "./format.ts";
import type { OperationHandler } from "./handler.ts";
import {
  fullTransaction,
  internalTransaction,
  mrc20Transfer,
  mrc721Transfer,
  simpleTransaction,
} from "./records.ts";

/** One entry per requested address, in the order of the request (S7). */
export const A1: OperationHandler<"A1"> = (chain, { addresses }) => ({
  data: addresses.map(lower).map((address) => ({
    address,
    balance: decimal(chain.balance(address)),
  })),
});

/** The last block of a response: `endBlock` capped at the head, else the head (S10). */
const lastBlock = (head: Block, endBlock = head.number) => Math.min(endBlock, head.number);

export const A2: OperationHandler<"A2"> = (chain, parameters) => {
  const { head } = chain;
  const blocks = range(parameters);
  const list = chain.transactions(lower(parameters.address_hash), parameters.condition, blocks);
  if (!parameters.simple)
    return newestFirst(list, parameters, fullTransaction(head, parameters.input));
  return {
    ...newestFirst(list, parameters, simpleTransaction(parameters.input)),
    to_block: decimal(lastBlock(head, blocks.endBlock)),
  };
};

export const A3: OperationHandler<"A3"> = (chain, parameters) =>
  newestFirst(
    chain.frames(lower(parameters.address_hash), range(parameters)),
    parameters,
    internalTransaction(chain, parameters.input),
  );

export const A4: OperationHandler<"A4"> = (chain, parameters) =>
  newestFirst(
    chain.transfers(lower(parameters.address_hash), "mrc20", range(parameters)),
    parameters,
    mrc20Transfer(chain.head),
  );

export const A5: OperationHandler<"A5"> = (chain, parameters) =>
  newestFirst(
    chain.transfers(lower(parameters.address_hash), "mrc721", range(parameters)),
    parameters,
    mrc721Transfer(chain.head),
  );

/** `limit` and `offset` apply to both lists (S17). */
export const A6: OperationHandler<"A6"> = (chain, { address_hash, ...paging }) => {
  const holder = lower(address_hash);
  const holder_type = chain.code(holder) === "0x" ? "0" : "1";
  const coins = ascending(chain.holdings(holder, "mrc20"), paging, ({ token, balance }) => ({
    balance: decimal(balance),
    token_address: token.address,
    token_symbol: token.symbol,
    token_name: token.name,
    holder_address: holder,
    holder_type,
    token_decimals: decimalOrNull(token.decimals),
  }));
  const collections = ascending(chain.holdings(holder, "mrc721"), paging, (holding) => ({
    balance: decimal(holding.balance),
    token_address: holding.token.address,
    holder_address: holder,
  }));
  return {
    mrc_20: { count: coins.count, results: coins.data },
    mrc_721: { count: collections.count, results: collections.data },
  };
};

const tokenEntry = ({ token }: Holding): TokenEntryWire => ({
  token_address: token.address,
  token_name: token.name,
  token_symbol: token.symbol,
});

export const A7: OperationHandler<"A7"> = (chain, { address_hash, ...paging }) =>
  ascending(chain.holdings(lower(address_hash), "mrc20"), paging, tokenEntry);

export const A8: OperationHandler<"A8"> = (chain, { address_hash, ...paging }) =>
  ascending(chain.holdings(lower(address_hash), "mrc721"), paging, tokenEntry);

/**
 * Lists the tokens of a collection. Empty if `token_address` is another address (S17), or the
 * collection has no tokens (S6).
 */
export const A9: OperationHandler<"A9"> = (
  chain,
  { contract_address, token_address, ...paging },
) => {
  const collection = lower(contract_address);
  const nfts =
    token_address === undefined || lower(token_address) === collection
      ? chain.nfts(collection)
      : emptyList;
  return ascending(nfts, paging, ({ token, tokenId, uri }) => ({
    contract_address: token.address,
    token_id: decimal(tokenId),
    token_uri: uri,
    token_name: token.name,
    token_symbol: token.symbol,
  }));
};

const emptyList = listOf<never>([]);

export const A10: OperationHandler<"A10"> = (chain, { address_hash, ...paging }) =>
  newestFirst(chain.blocksMinedBy(lower(address_hash)), paging, (block) => ({
    ...blockReward(block),
    gas_used: decimalOrNull(block.gasUsed),
    gas_limit: decimalOrNull(block.gasLimit),
    transaction_count: decimal(block.transactionCount),
  }));
