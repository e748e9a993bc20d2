// The views of `/inspect` as operations: what the page asks that the specification's operations cannot answer. Runs in browsers.
import * as z from "zod/mini";
import type { OperationArguments, OperationResultsWire } from "../../src/contract/index.ts";
import { operation } from "../../src/contract/operation.ts";
import { between } from "../../src/contract/parameters.ts";
import { isAddress } from "../../src/models/hex.ts";
import type { Decoded } from "../../src/models/model.ts";
import * as primitives from "../../src/models/primitives.ts";
import * as answers from "./schema.ts";

/** The largest page. */
const MAX_PAGE = 100;
const limit = z._default(between(1, MAX_PAGE), 25);
const ranked = { offset: z._default(between(0, 1e12), 0), limit };

const blockNumber = between(0, 999_999_999_999_999);

const POSITION = "the field `next` of a page: a block number, a dot and an index";
const beforePosition = {
  before: z.optional(z.string(POSITION).check(z.regex(/^\d{1,15}\.\d{1,9}$/, POSITION))),
  limit,
};

/** A chain stores hexadecimal in lower case. */
const lower = z.transform((text: primitives.Hex) => text.toLowerCase() as primitives.Hex);
const address = z.pipe(primitives.address, lower);
const hash = z.pipe(primitives.hash, lower);

/** Names are longer only where someone wants to do harm. */
const MAX_QUERY = 200;
const query = `a text of 1 to ${MAX_QUERY} characters`;
const addresses = `1 to ${MAX_PAGE} addresses with commas in between`;

const HASHES = `1 to ${MAX_PAGE} hashes of transactions with commas in between`;
const SOME_HASHES = new RegExp(`^(0x[\\da-fA-F]{64}(,|$)){1,${MAX_PAGE}}$`);

/** Every view by its name: `GET /inspect/…`, with an api-key except for `access`. */
export const views = {
  access: operation({
    id: "access",
    name: "inspect.access",
    method: "GET",
    path: "/inspect/access",
    parameters: {},
    results: answers.Access,
  }),
  head: operation({
    id: "head",
    name: "inspect.head",
    method: "GET",
    path: "/inspect/head",
    parameters: {},
    results: answers.ChainHead,
  }),
  overview: operation({
    id: "overview",
    name: "inspect.overview",
    method: "GET",
    path: "/inspect/overview",
    parameters: {},
    results: answers.Overview,
  }),
  search: operation({
    id: "search",
    name: "inspect.search",
    method: "GET",
    path: "/inspect/search",
    parameters: {},
    query: {
      q: z
        .string(query)
        .check(z.refine((text) => text.trim() !== "" && text.length <= MAX_QUERY, query)),
    },
    results: answers.SearchAnswer,
  }),
  names: operation({
    id: "names",
    name: "inspect.names",
    method: "GET",
    path: "/inspect/names",
    parameters: {},
    query: {
      addresses: z
        .string(addresses)
        .check(
          z.refine(
            (text) => text.length <= MAX_PAGE * 43 && text.split(",").every(isAddress),
            addresses,
          ),
        ),
    },
    results: answers.NameList,
  }),
  methods: operation({
    id: "methods",
    name: "inspect.methods",
    method: "GET",
    path: "/inspect/methods",
    parameters: {},
    query: { hashes: z.string(HASHES).check(z.regex(SOME_HASHES, HASHES)) },
    results: answers.MethodList,
  }),
  blocks: operation({
    id: "blocks",
    name: "inspect.blocks",
    method: "GET",
    path: "/inspect/blocks",
    parameters: {},
    query: { before: z.optional(blockNumber), limit },
    results: answers.BlockList,
  }),
  transactions: operation({
    id: "transactions",
    name: "inspect.transactions",
    method: "GET",
    path: "/inspect/transactions",
    parameters: {},
    query: beforePosition,
    results: answers.TransactionList,
  }),
  accounts: operation({
    id: "accounts",
    name: "inspect.accounts",
    method: "GET",
    path: "/inspect/accounts",
    parameters: {},
    query: { limit },
    results: answers.AccountList,
  }),
  tokens: operation({
    id: "tokens",
    name: "inspect.tokens",
    method: "GET",
    path: "/inspect/tokens",
    parameters: {},
    query: ranked,
    results: answers.TokenList,
  }),
  contracts: operation({
    id: "contracts",
    name: "inspect.contracts",
    method: "GET",
    path: "/inspect/contracts",
    parameters: {},
    query: ranked,
    results: answers.ContractList,
  }),
  block: operation({
    id: "block",
    name: "inspect.block",
    method: "GET",
    path: "/inspect/block/{number}",
    parameters: { number: blockNumber },
    query: ranked,
    results: answers.BlockAnswer,
  }),
  transaction: operation({
    id: "transaction",
    name: "inspect.transaction",
    method: "GET",
    path: "/inspect/transaction/{hash}",
    parameters: { hash },
    results: answers.TransactionAnswer,
  }),
  calls: operation({
    id: "calls",
    name: "inspect.calls",
    method: "GET",
    path: "/inspect/transaction/{hash}/calls",
    parameters: { hash },
    results: answers.CallList,
  }),
  changes: operation({
    id: "changes",
    name: "inspect.changes",
    method: "GET",
    path: "/inspect/transaction/{hash}/changes",
    parameters: { hash },
    results: answers.ChangeList,
  }),
  source: operation({
    id: "source",
    name: "inspect.source",
    method: "GET",
    path: "/inspect/transaction/{hash}/source",
    parameters: { hash },
    results: answers.SourceAnswer,
  }),
  account: operation({
    id: "account",
    name: "inspect.account",
    method: "GET",
    path: "/inspect/account/{address}",
    parameters: { address },
    results: answers.AccountAnswer,
  }),
  balances: operation({
    id: "balances",
    name: "inspect.balances",
    method: "GET",
    path: "/inspect/account/{address}/balances",
    parameters: { address },
    query: { limit },
    results: answers.BalanceList,
  }),
  token: operation({
    id: "token",
    name: "inspect.token",
    method: "GET",
    path: "/inspect/token/{address}",
    parameters: { address },
    query: ranked,
    results: answers.TokenAnswer,
  }),
  transfers: operation({
    id: "transfers",
    name: "inspect.transfers",
    method: "GET",
    path: "/inspect/token/{address}/transfers",
    parameters: { address },
    query: beforePosition,
    results: answers.TransferList,
  }),
} as const;

export type Views = typeof views;
export type ViewName = keyof Views;
/** The parameters of a view, checked and with defaults filled in. */
export type ParametersOf<Name extends ViewName> = OperationArguments<Views[Name]>;
/** What a view says. */
export type AnswerOf<Name extends ViewName> = Decoded<Views[Name]["results"]>;
/** The same as JSON. */
export type AnswerWireOf<Name extends ViewName> = OperationResultsWire<Views[Name]>;
