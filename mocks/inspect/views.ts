// The views of `/inspect`: path, query and answer of each, for the service that answers and the page that asks. Runs in browsers.
import type * as z from "zod/mini";
import type { Decoded, Encoded } from "../../src/models/model.ts";
import * as answers from "./schema.ts";

/** One view: `GET /inspect/…`, with an api-key unless it is open. */
export interface View<Schema extends z.ZodMiniType = z.ZodMiniType> {
  /** Below the service's address; `{…}` is a parameter. */
  readonly path: `/inspect/${string}`;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  readonly answer: Schema;
}

const view = <Schema extends z.ZodMiniType>(
  path: View["path"],
  query: readonly string[],
  answer: Schema,
): View<Schema> => ({ path, query, answer });

const page = ["before", "limit"];
const ranked = ["offset", "limit"];

/** Every view by its name. */
export const views = {
  access: view("/inspect/access", [], answers.Access),
  head: view("/inspect/head", [], answers.ChainHead),
  overview: view("/inspect/overview", [], answers.Overview),
  search: view("/inspect/search", ["q"], answers.SearchAnswer),
  names: view("/inspect/names", ["addresses"], answers.NameList),
  blocks: view("/inspect/blocks", page, answers.BlockList),
  transactions: view("/inspect/transactions", page, answers.TransactionList),
  accounts: view("/inspect/accounts", ["limit"], answers.AccountList),
  tokens: view("/inspect/tokens", ranked, answers.TokenList),
  contracts: view("/inspect/contracts", ranked, answers.ContractList),
  block: view("/inspect/block/{number}", ranked, answers.BlockAnswer),
  transaction: view("/inspect/transaction/{hash}", [], answers.TransactionAnswer),
  account: view("/inspect/account/{address}", [], answers.AccountAnswer),
  balances: view("/inspect/account/{address}/balances", ["limit"], answers.BalanceList),
  token: view("/inspect/token/{address}", ranked, answers.TokenAnswer),
  transfers: view("/inspect/token/{address}/transfers", page, answers.TransferList),
} as const;

export type ViewName = keyof typeof views;
export type AnswerOf<Name extends ViewName> = Decoded<(typeof views)[Name]["answer"]>;
/** The results as JSON. */
export type AnswerWireOf<Name extends ViewName> = Encoded<(typeof views)[Name]["answer"]>;
