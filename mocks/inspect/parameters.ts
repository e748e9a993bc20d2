// The parameters of `/inspect`, checked: anything invalid or unknown is refused, with all problems in one message.
import * as z from "zod/mini";
import { isAddress } from "../../src/models/hex.ts";
import { address, hash } from "../../src/models/primitives.ts";
import { lower } from "../operations/format.ts";
import { decimalNumber } from "../transports/query.ts";
import type { ViewName } from "./views.ts";

const optionalNumber = (from: number, to: number, otherwise: number) =>
  z._default(decimalNumber(from, to), otherwise);

/** The largest page. */
const maxPage = 100;
const limit = optionalNumber(1, maxPage, 25);
const offset = optionalNumber(0, 1e12, 0);

const blockNumber = decimalNumber(0, 999_999_999_999_999);

/** Where a page of transactions or transfers begins: behind the record at this place in this block. */
export interface Position {
  readonly block: number;
  readonly index: number;
}

const position = "the field `next` of a page: a block number, a dot and an index";
const beforePosition = z.optional(
  z.pipe(
    z.string(position).check(z.regex(/^\d{1,15}\.\d{1,9}$/, position)),
    z.transform((text): Position => {
      const [block = 0, index = 0] = text.split(".").map(Number);
      return { block, index };
    }),
  ),
);
export const positionText = ({ block, index }: Position): string => `${block}.${index}`;

const lowerAddress = z.pipe(address, z.transform(lower));
const lowerHash = z.pipe(hash, z.transform(lower));

/** Names are longer only where someone wants to do harm. */
const maxQuery = 200;
const query = `a text of 1 to ${maxQuery} characters`;
const addresses = `1 to ${maxPage} addresses with commas in between`;

/** The parameters of each view, of path and query. */
export const parameters = {
  access: z.strictObject({}),
  head: z.strictObject({}),
  overview: z.strictObject({}),
  search: z.strictObject({
    q: z
      .string(query)
      .check(z.refine((text) => text.trim() !== "" && text.length <= maxQuery, query)),
  }),
  names: z.strictObject({
    addresses: z.pipe(
      z
        .string(addresses)
        .check(
          z.refine(
            (text) => text.length <= maxPage * 43 && text.split(",").every(isAddress),
            addresses,
          ),
        ),
      z.transform((text) => text.split(",").filter(isAddress).map(lower)),
    ),
  }),
  blocks: z.strictObject({ before: z.optional(blockNumber), limit }),
  transactions: z.strictObject({ before: beforePosition, limit }),
  accounts: z.strictObject({ limit }),
  tokens: z.strictObject({ offset, limit }),
  contracts: z.strictObject({ offset, limit }),
  block: z.strictObject({ number: blockNumber, offset, limit }),
  transaction: z.strictObject({ hash: lowerHash }),
  account: z.strictObject({ address: lowerAddress }),
  balances: z.strictObject({ address: lowerAddress, limit }),
  token: z.strictObject({ address: lowerAddress, offset, limit }),
  transfers: z.strictObject({ address: lowerAddress, before: beforePosition, limit }),
} as const satisfies { readonly [Name in ViewName]: z.ZodMiniType };

export type ParametersOf<Name extends ViewName> = z.output<(typeof parameters)[Name]>;
