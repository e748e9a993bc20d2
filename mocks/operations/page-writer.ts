// Pages of records whose JSON is kept: a record is written once, and only its confirmations anew for each page.
import type { Decimal } from "../../src/models/primitives.ts";
import { WrittenResults } from "../api.ts";
import { reversed } from "../chain/listing.ts";
import type { Listing } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";
import { confirmations, decimal, type Paging } from "./format.ts";

/** JSON escapes quotes in strings, so these are found as fields only. */
const CONFIRMATIONS = '"confirmations":"0"';
const NO_DATA = '"data":[]';

/** Formats a record, with its confirmations if its form has them. */
type Format<Item, Wire> = (item: Item, confirmations: Decimal) => Wire;

/** Writes pages of one form. A text lives as long as its record, which the chain keeps for a while. */
export class PageWriter<Item extends { readonly block: Block }, Wire extends object> {
  readonly #format: Format<Item, Wire>;
  /** What comes before and after the confirmations; undefined if texts are not kept. */
  readonly #texts: WeakMap<Item, readonly string[]> | undefined;

  constructor(format: Format<Item, Wire>, { keeps }: { readonly keeps: boolean }) {
    this.#format = format;
    this.#texts = keeps ? new WeakMap() : undefined;
  }

  /** A page of a list in chain order, newest first (S4); other fields follow its records. */
  newestFirst<Others extends object>(
    list: Listing<Item>,
    { limit, offset }: Paging,
    head: Block,
    others: Others,
  ): WrittenResults<{ count: Decimal; data: Wire[] } & Others> {
    const records = reversed(list).slice(offset, limit);
    const [start, end] = JSON.stringify({ count: decimal(list.count), data: [], ...others }).split(
      NO_DATA,
    );
    // Joined at the end, by who sends it: each earlier join would copy the page once more.
    let data = "";
    for (const item of records)
      data += data === "" ? this.write(item, head) : `,${this.write(item, head)}`;
    return new WrittenResults(`${start}"data":[${data}]${end}`);
  }

  /** The JSON of one record. */
  write(item: Item, head: Block): string {
    const count = confirmations(head, item.block);
    if (this.#texts === undefined) return JSON.stringify(this.#format(item, count));
    let texts = this.#texts.get(item);
    if (texts === undefined) {
      texts = JSON.stringify(this.#format(item, "0")).split(CONFIRMATIONS);
      this.#texts.set(item, texts);
    }
    const [before, after] = texts;
    return after === undefined ? `${before}` : `${before}"confirmations":"${count}"${after}`;
  }
}
