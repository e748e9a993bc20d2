// The views of `/inspect` that are lists, with their pages and filters.
import * as z from "zod/mini";
import { operationsOf, type Parameters } from "../../src/contract/operation.ts";
import { list, model } from "../../src/models/model.ts";
import {
  address,
  between,
  type Hex,
  hash,
  integer,
  orNull,
  text,
} from "../../src/models/primitives.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import {
  AddressName,
  HeadBlock,
  InspectedAccount,
  InspectedBlock,
  InspectedContract,
  InspectedHolder,
  InspectedHolding,
  InspectedInternal,
  InspectedNft,
  InspectedToken,
  InspectedTransaction,
  InspectedTransfer,
  ListedLog,
  standards,
} from "./records.ts";

export const MAX_PAGE = 100;
const pageLimit = z._default(between(1, MAX_PAGE), 25);

/** A page begins at the `next` of another page, or has a number. */
const paged = {
  from: z.optional(between(0, 1e12)),
  page: z.optional(between(1, 1e12)),
  limit: pageLimit,
};

const NAME = "a part of a name, a symbol or an address";
const named = z.optional(z.string(NAME).check(z.minLength(1), z.maxLength(200)));

export const anyBlock = between(0, 999_999_999_999_999);

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

/** A chain stores hexadecimal in lower case. */
const lower = z.transform((text: Hex) => text.toLowerCase() as Hex);
export const lowerAddress = z.pipe(address, lower);
export const lowerHash = z.pipe(hash, lower);

/** Filters of transactions and calls. A direction needs an account. */
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

export const viewAnswer = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  model({ ...common, ...shape });

export const inspectView = operationsOf("inspect");

/** The records of a list are in a field with the name of its view. */
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
