// The results of a search as a list: address of the view, kind and name.

import { grouped, shortHex } from "../format/values.ts";
import { hasIds } from "../inspect/records.ts";
import type { Candidate } from "../inspect/views.ts";
import { href } from "../router.ts";
import { findOwnNames, inspect } from "../service/inspect.ts";

export interface Suggestion {
  readonly to: string;
  readonly what: string;
  readonly name: string;
  readonly more: string;
  /** A hash, a number or an address means one thing; a name may mean several. */
  readonly isExact: boolean;
}

/** Where the logs of an event are, and the transactions of a function or an error. */
function signature(kind: "event" | "function" | "error", selector: string) {
  if (kind === "event") return { to: href("logs", "", { event: selector }), what: "Event" };
  const name = kind === "error" ? "error" : "method";
  const what = kind === "error" ? "Error" : "Function";
  return { to: href("transactions", "", { [name]: selector }), what };
}

function describe(one: Candidate): Suggestion {
  switch (one.kind) {
    case "block":
      return {
        to: href("block", one.block_number),
        what: "Block",
        name: `${one.block_number}`,
        more: one.block_hash,
        isExact: true,
      };
    case "transaction":
      return {
        to: href("tx", one.transaction_hash),
        what: "Transaction",
        name: shortHex(one.transaction_hash, 10),
        more: `in block ${one.block_number}`,
        isExact: true,
      };
    case "account":
      return {
        to: href("account", one.address),
        what: one.is_contract ? "Contract account" : "Account",
        name: one.address,
        more: `${grouped(one.transaction_count)} transactions`,
        isExact: true,
      };
    case "token":
      return {
        to: href("token", one.token_address),
        what: hasIds(one.standard) ? "Collection" : "Token",
        name: `${one.token_name ?? "Unnamed"} ${one.token_symbol ?? ""}`,
        more: one.token_address,
        isExact: false,
      };
    case "contract":
      return {
        to: href("contract", one.address),
        what: "Verified contract",
        name: `${one.contract_name} ${one.token_symbol ?? ""}`,
        more: one.address,
        isExact: false,
      };
    default:
      return {
        ...signature(one.kind, one.selector),
        name: one.signature,
        more: `${one.count === null ? "" : `${grouped(one.count)} · `}${one.selector}`,
        isExact: true,
      };
  }
}

/** What the reader's own names and the chain have for a text, and where was looked. */
export async function find(text: string, signal?: AbortSignal) {
  const { candidates, tried } = await inspect("search", { q: text }, signal ? { signal } : {});
  const own = findOwnNames(text).map(({ address, name }) => ({
    to: href("account", address),
    what: "Your name",
    name,
    more: address,
    isExact: false,
  }));
  return { found: [...own, ...candidates.map(describe)], tried };
}
