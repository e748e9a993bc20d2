// The results of a search as a list: address of the view, kind and name.

import { hasIds } from "../../inspect/records.ts";
import type { Candidate } from "../../inspect/views.ts";
import { grouped, shortHex } from "../format/values.ts";
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

type Described = readonly [to: string, what: string, name: string, more: string];

function describe(one: Candidate): Described {
  switch (one.kind) {
    case "block": {
      const { block_number: number, block_hash } = one;
      return [href("block", number), "Block", `${number}`, block_hash];
    }
    case "transaction": {
      const { transaction_hash: hash, block_number } = one;
      return [href("tx", hash), "Transaction", shortHex(hash, 10), `in block ${block_number}`];
    }
    case "account": {
      const { address, is_contract, transaction_count } = one;
      const what = is_contract ? "Contract account" : "Account";
      const more = `${grouped(transaction_count)} transactions`;
      return [href("account", address), what, address, more];
    }
    case "token": {
      const { token_address: address, token_name, token_symbol } = one;
      const what = hasIds(one.standard) ? "Collection" : "Token";
      return [
        href("token", address),
        what,
        `${token_name ?? "Unnamed"} ${token_symbol ?? ""}`,
        address,
      ];
    }
    case "contract": {
      const { address, contract_name, token_symbol } = one;
      const name = `${contract_name} ${token_symbol ?? ""}`;
      return [href("contract", address), "Verified contract", name, address];
    }
    default: {
      const { kind, selector, signature, count } = one;
      // Where the logs of an event are, and the transactions of a function or an error.
      const [what, view, filter] = uses[kind];
      const more = `${count === null ? "" : `${grouped(count)} · `}${selector}`;
      return [href(view, "", { [filter]: selector }), what, signature, more];
    }
  }
}

const uses = {
  event: ["Event", "logs", "event"],
  function: ["Function", "transactions", "method"],
  error: ["Error", "transactions", "error"],
} as const;

function suggestionOf(one: Candidate): Suggestion {
  const [to, what, name, more] = describe(one);
  return { to, what, name, more, isExact: one.kind !== "token" && one.kind !== "contract" };
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
  return { found: [...own, ...candidates.map(suggestionOf)], tried };
}
