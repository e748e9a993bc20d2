// Pages of records whose JSON is kept: a record is written once, and only its confirmations are written again for each head.
import type { Decimal } from "../../src/models/primitives.ts";
import { reversed } from "../chain/listing.ts";
import type { Listing } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";
import { WrittenResults } from "../message/api.ts";
import { decimal, type Paging } from "./format.ts";

/** JSON escapes quotes in strings, so this is found as a field only. */
const CONFIRMATIONS = '"confirmations":"';

/** A page of a list in chain order, newest first (S4): `write` gives each record's JSON, after a comma; other fields follow the records. */
export function writtenPage<Item, Results>(
  list: Listing<Item>,
  { limit, offset }: Paging,
  write: (item: Item) => string,
  others: object = {},
): WrittenResults<Results> {
  const pieces = [`{"count":"${list.count}","data":[`];
  for (const item of reversed(list).slice(offset, limit)) pieces.push(write(item));
  const [, first] = pieces;
  if (first !== undefined) pieces[1] = first.slice(1);
  const end = JSON.stringify(others).slice(1);
  pieces.push(end === "}" ? "]}" : `],${end}`);
  return new WrittenResults(pieces);
}

/** The JSON of a record at one head. */
interface KeptText {
  json: string;
  confirmations: number;
  /** Where the confirmations begin; undefined in a form without them. */
  readonly at: number | undefined;
}

/** Formats a record, with its confirmations if its form has them. */
type Format<Item, Wire> = (item: Item, confirmations: Decimal) => Wire;

/** Writes pages of one form. A text lives as long as its record, which the chain keeps for a while. */
export class PageWriter<Item extends { readonly block: Block }, Wire extends object> {
  readonly #format: Format<Item, Wire>;
  /** Undefined if texts are not kept. */
  readonly #texts: WeakMap<Item, KeptText> | undefined;

  constructor(format: Format<Item, Wire>, { keeps }: { readonly keeps: boolean }) {
    this.#format = format;
    this.#texts = keeps ? new WeakMap() : undefined;
  }

  newestFirst<Others extends object>(
    list: Listing<Item>,
    paging: Paging,
    head: Block,
    others: Others,
  ): WrittenResults<{ count: Decimal; data: Wire[] } & Others> {
    return writtenPage(list, paging, (item) => this.#write(item, head), others);
  }

  /** The JSON of one record, after a comma: flat strings, which are encoded several times as fast as concatenated ones. */
  #write(item: Item, head: Block): string {
    const confirmations = head.number - item.block.number;
    const known = this.#texts?.get(item);
    if (known !== undefined) return atHead(known, confirmations);
    const json = [",", JSON.stringify(this.#format(item, decimal(confirmations)))].join("");
    if (this.#texts) {
      const at = json.indexOf(CONFIRMATIONS);
      this.#texts.set(item, {
        json,
        confirmations,
        at: at < 0 ? undefined : at + CONFIRMATIONS.length,
      });
    }
    return json;
  }
}

/** The text with other confirmations: what stands around them stays. */
function atHead(text: KeptText, confirmations: number): string {
  const { json, at } = text;
  if (at !== undefined && confirmations !== text.confirmations) {
    const after = json.indexOf('"', at);
    text.json = [json.slice(0, at), confirmations, json.slice(after)].join("");
    text.confirmations = confirmations;
  }
  return text.json;
}
