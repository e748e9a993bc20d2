// The views of `/inspect` as operations, which the page reads. Runs in browsers.
// The operations of the specification are answered under `/inspect/v1`, too, without faults and
// journal, so that viewing the page never alters a running test.
import * as z from "zod/mini";
import type { OperationArguments, OperationResultsWire } from "../../src/contract/index.ts";
import { operationsOf, type Parameters } from "../../src/contract/operation.ts";
import { type Decoded, list, model } from "../../src/models/model.ts";
import {
  address,
  amount,
  between,
  flag,
  type Hex,
  hash,
  hex,
  integer,
  orNull,
  text,
  timestamp,
} from "../../src/models/primitives.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import {
  Activity,
  AddressName,
  BalanceChange,
  CallFailure,
  Candidate,
  ChainSource,
  DecodedData,
  HeadBlock,
  InspectedAccount,
  InspectedBlock,
  InspectedCall,
  InspectedContract,
  InspectedHolder,
  InspectedHolding,
  InspectedInternal,
  InspectedLog,
  InspectedNft,
  InspectedToken,
  InspectedTransaction,
  InspectedTransfer,
  ListedLog,
  NodeProgress,
  perStandard,
  ShownSource,
  StateChange,
  standards,
} from "./records.ts";

const MAX_PAGE = 100;
const pageLimit = z._default(between(1, MAX_PAGE), 25);

/** A page begins at the `next` of another page, or has a number. */
const paged = {
  from: z.optional(between(0, 1e12)),
  page: z.optional(between(1, 1e12)),
  limit: pageLimit,
};

const NAME = "a part of a name, a symbol or an address";
const named = z.optional(z.string(NAME).check(z.minLength(1), z.maxLength(200)));

const anyBlock = between(0, 999_999_999_999_999);

const ordered = {
  start_block: z.optional(anyBlock),
  end_block: z.optional(anyBlock),
  order: z._default(z.enum(["desc", "asc"]), "desc"),
};

const AMOUNT = "an amount in digits, such as 1.5";
const someAmount = z.optional(z.string(AMOUNT).check(z.regex(/^\d{1,60}(\.\d{1,40})?$/, AMOUNT)));
/** Amounts of coins, or in the decimals of the token. */
const amountQuery = { min_amount: someAmount, max_amount: someAmount };

const direction = z.optional(z.enum(["in", "out"]));
const status = z.optional(z.enum(["failed", "success"]));

const ID = "the digits of a token id";
const tokenId = z.optional(z.string(ID).check(z.regex(/^\d{1,78}$/, ID)));

const SIGNATURE = "a name, or 0x and digits";
const signature = z.optional(z.string(SIGNATURE).check(z.minLength(1), z.maxLength(300)));

const VALUES = "names and values of an event, such as from=0x…&value=1.5";

/** Converts to lower case, in which a chain stores hexadecimal. */
const lower = z.transform((text: Hex) => text.toLowerCase() as Hex);
const lowerAddress = z.pipe(address, lower);
const lowerHash = z.pipe(hash, lower);

/** Filters of transactions and calls. `direction` needs an account. */
const callQuery = { direction, status, method: signature, ...amountQuery };

const listed = {
  /** Null if more than 20,000 records would have to be read. Pages may then be short. */
  count: orNull(integer),
  /** The `from` of the next page; null at the end. */
  next: orNull(text),
};

/** The fields of every answer but those of `access` and `head`. */
const common = {
  head: HeadBlock,
  /** The names of addresses in the answer. */
  names: list(AddressName),
};

const viewAnswer = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  model({ ...common, ...shape });

const inspectView = operationsOf("inspect");

/** Describes a list view. Its records are in a field of the view's name. */
function listView<const Name extends string, Item extends AnySchema, Query extends Parameters>(
  name: Name,
  item: Item,
  query: Query,
) {
  const path: `/inspect/${string}` = `/inspect/${name}`;
  const rows = { [name]: list(item) } as Readonly<Record<Name, z.ZodMiniArray<Item>>>;
  return inspectView(name, path, viewAnswer({ ...rows, ...listed }), {
    query: { ...paged, ...query },
  });
}

export const listViews = {
  /** Blocks of the chain, or those that an account mined. */
  blocks: listView("blocks", InspectedBlock, {
    ...ordered,
    miner: z.optional(lowerAddress),
    /** "some" leaves out blocks without transactions. */
    transactions: z.optional(z.enum(["some"])),
  }),
  /** Transactions of the chain, or of an account. */
  transactions: listView("transactions", InspectedTransaction, {
    ...ordered,
    ...callQuery,
    account: z.optional(lowerAddress),
    /** The error that they reverted with. */
    error: signature,
  }),
  /** The calls within transactions in which an account takes part. */
  internal: listView("internal", InspectedInternal, {
    ...ordered,
    ...callQuery,
    account: lowerAddress,
  }),
  /** The transfers of a token, or of an account, or of both. */
  transfers: listView("transfers", InspectedTransfer, {
    ...ordered,
    token: z.optional(lowerAddress),
    account: z.optional(lowerAddress),
    standard: z._default(z.enum(standards), "mrc20"),
    direction,
    token_id: tokenId,
    ...amountQuery,
  }),
  /** The logs of an event, of a contract, or of both. */
  logs: listView("logs", ListedLog, {
    ...ordered,
    address: z.optional(lowerAddress),
    event: signature,
    /** Values of the event as a query, `from=0x…&value=1.5`. Needs an address and an event. */
    values: z.optional(z.string(VALUES).check(z.minLength(1), z.maxLength(2000))),
  }),
  /** The busiest accounts. */
  accounts: listView("accounts", InspectedAccount, {
    ...amountQuery,
    kind: z.optional(z.enum(["contract", "account"])),
  }),
  /** Tokens by number of holders. */
  tokens: listView("tokens", InspectedToken, { name: named }),
  /** The tokens of a standard that an account holds. */
  holdings: listView("holdings", InspectedHolding, {
    account: lowerAddress,
    standard: z._default(z.enum(standards), "mrc20"),
    name: named,
    ...amountQuery,
  }),
  /** The tokens of a collection, or those that one account holds, by id. */
  inventory: listView("inventory", InspectedNft, {
    token: lowerAddress,
    owner: z.optional(lowerAddress),
    token_id: tokenId,
  }),
  /** Verified contracts, newest first. */
  contracts: listView("contracts", InspectedContract, { name: named }),
  /** One token and a page of its holders, the largest first. */
  token: inspectView(
    "token",
    "/inspect/token/{address}",
    viewAnswer({
      token: InspectedToken,
      transfer_count: integer,
      /** The 1000 largest at most. */
      holders: list(InspectedHolder),
      ...listed,
    }),
    { parameters: { address: lowerAddress }, query: { ...paged, ...amountQuery } },
  ),
} as const;

const MAX_QUERY = 200;
const QUERY = `a text of 1 to ${MAX_QUERY} characters`;

export const views = {
  /** The only view that needs no api-key. */
  access: inspectView(
    "access",
    "/inspect/access",
    model({
      /** Whether only listed api-keys are accepted; otherwise any text is accepted. */
      keys_listed: flag,
      /** Whether each api-key has a chain, faults and a journal of its own. */
      tenants: flag,
      admin: flag,
      /** Whether the service can verify sources. */
      verifier: flag,
      /** Versions of the installed compilers: "v0.8.20+commit.a1b79de6". */
      compilers: list(text),
      /** The symbol or name of the coin; null if the service was given none. */
      coin: orNull(text),
    }),
  ),
  /** The head, small enough to poll. It answers before a followed chain is ready. */
  head: inspectView(
    "head",
    "/inspect/head",
    model({
      chain_id: integer,
      source: ChainSource,
      /** Null while a followed chain is empty. */
      head: orNull(HeadBlock),
      /** Number of the first block; null while the chain is empty. */
      first_block: orNull(integer),
      blocks: integer,
      transactions: integer,
      /** Number of reorganisations and rewinds. A change means that known blocks may be gone. */
      rewinds: integer,
      /** Changes whenever another answer may change, for example after a verification. */
      revision: integer,
      /** Why the API responds with 503; null if it does not. */
      unavailable: orNull(text),
      /** Null if no node is followed. */
      node: orNull(NodeProgress),
    }),
  ),
  overview: inspectView(
    "overview",
    "/inspect/overview",
    viewAnswer({
      latest_blocks: list(InspectedBlock),
      latest_transactions: list(InspectedTransaction),
      activity: Activity,
      busiest_accounts: list(InspectedAccount),
      token_count: integer,
      tokens: list(InspectedToken),
      contract_count: integer,
      contracts: list(InspectedContract),
    }),
  ),
  search: inspectView(
    "search",
    "/inspect/search",
    viewAnswer({
      query: text,
      /** At most 20, the best first. */
      candidates: list(Candidate),
      /** The places that were searched, with the number of results: "transaction hashes: none". */
      tried: list(text),
    }),
    {
      query: {
        q: z
          .string(QUERY)
          .check(z.refine((text) => text.trim() !== "" && text.length <= MAX_QUERY, QUERY)),
      },
    },
  ),
  ...listViews,
  block: inspectView(
    "block",
    "/inspect/block/{number}",
    viewAnswer({
      block: InspectedBlock,
      confirmations: integer,
    }),
    { parameters: { number: anyBlock } },
  ),
  transaction: inspectView(
    "transaction",
    "/inspect/transaction/{hash}",
    viewAnswer({
      transaction: InspectedTransaction,
      block: InspectedBlock,
      confirmations: integer,
      nonce: orNull(integer),
      gas_limit: orNull(integer),
      gas_used: orNull(integer),
      cumulative_gas_used: orNull(integer),
      gas_price: orNull(amount),
      /** Payer of the gas, if it is not the sender. */
      fee_payer: orNull(address),
      /** Fee of an L2 for its data, part of `tx_fee`. */
      l1_fee: orNull(amount),
      max_fee_per_gas: orNull(amount),
      max_priority_fee_per_gas: orNull(amount),
      input: hex,
      /** Null if no ABI has the function. */
      call: orNull(DecodedData),
      /** Null if the transaction succeeded, or has no trace. */
      failure: orNull(CallFailure),
      internal_transaction_count: integer,
      log_count: integer,
      /** At most 500. */
      logs: list(InspectedLog),
      /** Transfers among these logs. */
      transfers: list(InspectedTransfer),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** The calls of a transaction in order. The transaction itself comes first. */
  calls: inspectView(
    "calls",
    "/inspect/transaction/{hash}/calls",
    viewAnswer({
      /** Number of all calls, without the transaction itself. */
      count: integer,
      /** The transaction and at most 1000 calls. */
      calls: list(InspectedCall),
    }),
    { parameters: { hash: lowerHash } },
  ),
  changes: inspectView(
    "changes",
    "/inspect/transaction/{hash}/changes",
    viewAnswer({
      /** Number of balances that the transaction touched. */
      count: integer,
      /** At most 100, coins before tokens. */
      balances: list(BalanceChange),
      state_count: integer,
      /** At most 500; null if they are not known. */
      state: orNull(list(StateChange)),
      /** Why `state` is null. */
      state_message: orNull(text),
    }),
    { parameters: { hash: lowerHash } },
  ),
  source: inspectView(
    "source",
    "/inspect/transaction/{hash}/source",
    viewAnswer({
      /** Null without the steps of a followed node and the compiler's output of the contract. */
      place: orNull(
        model({
          file: text,
          /** Counted from 1. */
          line: integer,
          column: integer,
          /** False if the line is near, because the optimizer joins equal code. */
          is_certain: flag,
          contract_name: text,
          /** At most 2500 lines before and after it. The first one has the number `first_line`. */
          lines: list(text),
          first_line: integer,
        }),
      ),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** One account. An unused address has zeros. */
  account: inspectView(
    "account",
    "/inspect/account/{address}",
    viewAnswer({
      address,
      balance: amount,
      is_contract: flag,
      /** Runtime code; `0x` without any. */
      code: hex,
      /** The contract that a proxy forwards calls to; null for others. */
      target: orNull(address),
      /** The transaction that created the contract; null if it is not known. */
      creation: orNull(model({ transaction_hash: hash, creator: address, block_number: integer })),
      transaction_count: integer,
      internal_transaction_count: integer,
      ...perStandard("_transfer_count", () => integer),
      /** Transfers of the token; null if the address is none. */
      transfer_count: orNull(integer),
      ...perStandard("_count", () => integer),
      mined_block_count: integer,
      log_count: integer,
      /** Time of its newest transaction, call or transfer; of a token, of its newest transfer. */
      last_activity: orNull(timestamp),
      /** Null if the address is no token. */
      token: orNull(InspectedToken),
      /** Null if no source is verified. */
      contract: orNull(InspectedContract),
    }),
    { parameters: { address: lowerAddress } },
  ),
  /** The verified source of a contract. */
  contract: inspectView(
    "contract",
    "/inspect/contract/{address}",
    viewAnswer({
      /** JSON, with the entries of the contract that a proxy forwards its calls to. */
      abi: text,
      /** Null if no source is verified. */
      source: orNull(ShownSource),
    }),
    { parameters: { address: lowerAddress } },
  ),
} as const;

export type Views = typeof views;
export type ViewName = keyof Views;
/** The parameters of a view, checked and with defaults filled in. */
export type ParametersOf<Name extends ViewName> = OperationArguments<Views[Name]>;
export type AnswerOf<Name extends ViewName> = Decoded<Views[Name]["results"]>;
/** The answer as JSON. */
export type AnswerWireOf<Name extends ViewName> = OperationResultsWire<Views[Name]>;
