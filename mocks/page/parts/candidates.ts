// Search results as suggestions: link, kind and name.
import { type Candidate, hasIds } from "../../inspect/records.ts";
import { grouped, shortHex } from "../format/values.ts";
import { href } from "../router.ts";
import { findOwnNames, inspect } from "../service/inspect.ts";

export interface Suggestion {
  readonly to: string;
  readonly what: string;
  readonly name: string;
  readonly more: string;
  /** Whether the text can mean nothing else: true for hashes, numbers and addresses, not names. */
  readonly isExact: boolean;
}

type Described = readonly [to: string, what: string, name: string, more: string];

function describe(candidate: Candidate): Described {
  switch (candidate.kind) {
    case "block": {
      const { block_number: number, block_hash } = candidate;
      return [href("block", number), "Block", `${number}`, block_hash];
    }
    case "transaction": {
      const { transaction_hash: hash, block_number } = candidate;
      return [href("tx", hash), "Transaction", shortHex(hash, 10), `in block ${block_number}`];
    }
    case "account": {
      const { address, is_contract, transaction_count } = candidate;
      const label = is_contract ? "Contract account" : "Account";
      const more = `${grouped(transaction_count)} transactions`;
      return [href("account", address), label, address, more];
    }
    case "token": {
      const { token_address: address, token_name, token_symbol } = candidate;
      const label = hasIds(candidate.standard) ? "Collection" : "Token";
      return [
        href("token", address),
        label,
        `${token_name ?? "Unnamed"} ${token_symbol ?? ""}`,
        address,
      ];
    }
    case "contract": {
      const { address, contract_name, token_symbol } = candidate;
      const name = `${contract_name} ${token_symbol ?? ""}`;
      return [href("contract", address), "Verified contract", name, address];
    }
    default: {
      const { kind, selector, signature, count } = candidate;
      const [what, view, filter] = uses[kind];
      const more = `${count === null ? "" : `${grouped(count)} · `}${selector}`;
      return [href(view, "", { [filter]: selector }), what, signature, more];
    }
  }
}

/** Events lead to logs, functions and errors to transactions. */
const uses = {
  event: ["Event", "logs", "event"],
  function: ["Function", "transactions", "method"],
  error: ["Error", "transactions", "error"],
} as const;

function suggestionOf(candidate: Candidate): Suggestion {
  const [to, what, name, more] = describe(candidate);
  const isExact = candidate.kind !== "token" && candidate.kind !== "contract";
  return { to, what, name, more, isExact };
}

/** Searches the reader's own names and the chain. */
export async function find(text: string) {
  const { candidates, tried } = await inspect("search", { q: text });
  const ownNames = findOwnNames(text).map(({ address, name }) => ({
    to: href("account", address),
    what: "Your name",
    name,
    more: address,
    isExact: false,
  }));
  return { found: [...ownNames, ...candidates.map(suggestionOf)], tried };
}
