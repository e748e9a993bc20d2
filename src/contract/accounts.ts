// Operations on accounts: A1 to A10 (specification 4.2).
import { accountBalanceKind } from "../models/account-balance.ts";
import { minedBlockKind } from "../models/block.ts";
import { listKind, recordKind } from "../models/compose.ts";
import { internalTransactionKind } from "../models/internal-transaction.ts";
import { collectionTokenKind } from "../models/inventory.ts";
import {
  address,
  amount,
  defaulted,
  flag,
  integer,
  nullable,
  optional,
} from "../models/primitives.ts";
import { accountTokensKind, tokenEntryKind } from "../models/token-list.ts";
import { simpleTransactionKind, transactionKind } from "../models/transaction.ts";
import { mrc20TransferKind, mrc721TransferKind } from "../models/transfer.ts";
import { dataOf, operation, pageOf } from "./operation.ts";
import { blockRange, limits, oneOf, paging, withInput } from "./parameters.ts";

const parameters = { address_hash: address };

export const A1 = /*#__PURE__*/ operation({
  id: "A1",
  name: "accounts.balance",
  method: "POST",
  path: "/v1/accounts/balance",
  parameters: {},
  body: { addresses: listKind(address, { minItems: 1, maxItems: limits.addresses }) },
  results: dataOf(listKind(accountBalanceKind)),
  summary: "Native-coin balances of 1 to 20 addresses",
});

export const A2 = /*#__PURE__*/ operation({
  id: "A2",
  name: "accounts.transactions",
  method: "GET",
  path: "/v1/accounts/{address_hash}/transactions",
  parameters,
  query: {
    ...paging,
    ...blockRange,
    ...withInput,
    simple: defaulted(flag, false),
    condition: defaulted(oneOf(["all", "to", "from", "contract"]), "all"),
  },
  results: pageOf(transactionKind),
  simpleResults: recordKind({
    count: nullable(integer),
    data: listKind(simpleTransactionKind),
    to_block: optional(nullable(amount)),
  }),
  summary: "Normal transactions of an address",
});

export const A3 = /*#__PURE__*/ operation({
  id: "A3",
  name: "accounts.internalTransactions",
  method: "GET",
  path: "/v1/accounts/{address_hash}/internal-transactions",
  parameters,
  query: { ...paging, ...blockRange, ...withInput },
  results: pageOf(internalTransactionKind),
  summary: "Internal transactions of an address",
});

export const A4 = /*#__PURE__*/ operation({
  id: "A4",
  name: "accounts.mrc20Transfers",
  method: "GET",
  path: "/v1/accounts/{address_hash}/token-transfer/mrc20",
  parameters,
  query: { ...paging, ...blockRange },
  results: pageOf(mrc20TransferKind),
  summary: "MRC20 transfer events of an address",
});

export const A5 = /*#__PURE__*/ operation({
  id: "A5",
  name: "accounts.mrc721Transfers",
  method: "GET",
  path: "/v1/accounts/{address_hash}/token-transfer/mrc721",
  parameters,
  query: { ...paging, ...blockRange },
  results: pageOf(mrc721TransferKind),
  summary: "MRC721 transfer events of an address",
});

export const A6 = /*#__PURE__*/ operation({
  id: "A6",
  name: "accounts.tokens",
  method: "GET",
  path: "/v1/accounts/{address_hash}/tokens",
  parameters,
  query: paging,
  results: accountTokensKind,
  enveloped: false,
  summary: "MRC20 and MRC721 tokens of an account, with balances",
});

export const A7 = /*#__PURE__*/ operation({
  id: "A7",
  name: "accounts.mrc20Tokens",
  method: "GET",
  path: "/v1/accounts/{address_hash}/tokens/mrc20",
  parameters,
  query: paging,
  results: pageOf(tokenEntryKind),
  summary: "MRC20 tokens of an account",
});

export const A8 = /*#__PURE__*/ operation({
  id: "A8",
  name: "accounts.mrc721Tokens",
  method: "GET",
  path: "/v1/accounts/{address_hash}/tokens/mrc721",
  parameters,
  query: paging,
  results: pageOf(tokenEntryKind),
  summary: "MRC721 tokens of an account",
});

export const A9 = /*#__PURE__*/ operation({
  id: "A9",
  name: "accounts.inventory",
  method: "GET",
  path: "/v1/accounts/{contract_address}/tokens/inventory",
  parameters: { contract_address: address },
  query: { token_address: optional(address), ...paging },
  results: pageOf(collectionTokenKind),
  summary: "MRC721 inventory of a contract",
});

export const A10 = /*#__PURE__*/ operation({
  id: "A10",
  name: "accounts.minedBlocks",
  method: "GET",
  path: "/v1/accounts/{address_hash}/mined-blocks",
  parameters,
  query: paging,
  results: pageOf(minedBlockKind),
  summary: "Blocks created by a miner",
});
