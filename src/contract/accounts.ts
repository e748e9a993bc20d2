// Operations on accounts: A1 to A10 (specification 4.2).
import * as z from "zod/mini";
import { MinedBlock } from "../models/block.ts";
import { AccountBalance, AccountTokens, TokenEntry } from "../models/holdings.ts";
import { InternalTransaction } from "../models/internal-transaction.ts";
import { CollectionToken } from "../models/inventory.ts";
import { list, model, records } from "../models/model.ts";
import { address, amount, flag, integer, oneOf, orNull } from "../models/primitives.ts";
import { nullable } from "../models/reading.ts";
import { SimpleTransaction, Transaction } from "../models/transaction.ts";
import { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";
import { identities, limits, transferIdentity } from "./lists.ts";
import { dataOf, operation, pageOf } from "./operation.ts";
import { blockRange, paging, withInput } from "./parameters.ts";
import { paths } from "./paths.ts";

const parameters = { address_hash: address };
const transfers = {
  identity: identities.transfers,
  lastingIdentity: transferIdentity,
  place: "block",
} as const;

export const accounts = {
  A1: operation({
    id: "A1",
    name: "accounts.balance",
    method: "POST",
    path: paths.A1,
    parameters: {},
    body: { addresses: list(address, 1, limits.addresses) },
    results: dataOf(list(AccountBalance)),
  }),
  A2: operation({
    id: "A2",
    name: "accounts.transactions",
    path: paths.A2,
    parameters,
    query: {
      ...paging,
      ...blockRange,
      ...withInput,
      simple: z._default(flag, false),
      condition: z._default(oneOf(["all", "to", "from", "contract"]), "all"),
    },
    results: pageOf(Transaction),
    simpleResults: model({
      count: orNull(integer),
      data: records(SimpleTransaction),
      to_block: z.optional(nullable(amount)),
    }),
    list: { identity: identities.transactions, place: "block" },
  }),
  A3: operation({
    id: "A3",
    name: "accounts.internalTransactions",
    path: paths.A3,
    parameters,
    query: { ...paging, ...blockRange, ...withInput },
    results: pageOf(InternalTransaction),
    list: { identity: identities.internalTransactions, place: "block" },
  }),
  A4: operation({
    id: "A4",
    name: "accounts.mrc20Transfers",
    path: paths.A4,
    parameters,
    query: { ...paging, ...blockRange },
    results: pageOf(Mrc20Transfer),
    list: transfers,
  }),
  A5: operation({
    id: "A5",
    name: "accounts.mrc721Transfers",
    path: paths.A5,
    parameters,
    query: { ...paging, ...blockRange },
    results: pageOf(Mrc721Transfer),
    list: transfers,
  }),
  A6: operation({
    id: "A6",
    name: "accounts.tokens",
    path: paths.A6,
    parameters,
    query: paging,
    results: AccountTokens,
    enveloped: false,
    list: { identity: identities.heldTokens, parts: { mrc_20: "mrc20", mrc_721: "mrc721" } },
  }),
  A7: operation({
    id: "A7",
    name: "accounts.mrc20Tokens",
    path: paths.A7,
    parameters,
    query: paging,
    results: pageOf(TokenEntry),
    list: { identity: identities.heldTokens },
  }),
  A8: operation({
    id: "A8",
    name: "accounts.mrc721Tokens",
    path: paths.A8,
    parameters,
    query: paging,
    results: pageOf(TokenEntry),
    list: { identity: identities.heldTokens },
  }),
  A9: operation({
    id: "A9",
    name: "accounts.inventory",
    path: paths.A9,
    parameters: { contract_address: address },
    query: { token_address: z.optional(address), ...paging },
    results: pageOf(CollectionToken),
    list: { identity: identities.inventory },
  }),
  A10: operation({
    id: "A10",
    name: "accounts.minedBlocks",
    path: paths.A10,
    parameters,
    query: paging,
    results: pageOf(MinedBlock),
    list: { identity: identities.minedBlocks, place: "block" },
  }),
};
