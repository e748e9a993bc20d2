// Asks the views of `/inspect`, and keeps the names of addresses.
import type { AnyOperation, OperationInput } from "../../../src/contract/index.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { type AnswerOf, type ViewName, type Views, views } from "../../inspect/views.ts";
import { createCache, createStore, createStoredText } from "../store.ts";
import { askOperation } from "./call.ts";

type InputOf<Name extends ViewName> = OperationInput<Views[Name]>;

/** The parameters of a view. The page's address has them as text. */
export type ViewInput<Name extends ViewName> = {
  readonly [Key in keyof InputOf<Name>]: InputOf<Name>[Key] | string;
};

/** Returns the decoded answer, and learns the names in it. */
export async function inspect<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
): Promise<AnswerOf<Name>> {
  const view: AnyOperation = views[name];
  // The types do not relate the name of a view to its results.
  const answer = (await askOperation<AnyOperation>(view, input)) as AnswerOf<Name>;
  if ("names" in answer) learn(answer.names);
  return answer;
}

/** LRU limit, because a chain may have any number of tokens. */
const MAX_NAMES = 2000;

/** The name of each address. Every answer has the names of the addresses in it. */
const names = createCache(() => createStore<string | null>(null), MAX_NAMES);

function learn(learned: AnswerOf<"account">["names"]): void {
  for (const { address, name } of learned) names(address.toLowerCase()).set(name);
}

/** The name that the chain has for an address; null until it is known. */
export const useName = (address: string): string | null => names(address.toLowerCase()).use();

/** Maximum length of a name, as in the service. */
export const MAX_NAME = 60;

const storedNames = createStoredText(() => localStorage, "explorer-names");

/** Skips everything but pairs of texts, because other programs on this origin may write here. */
function readOwnNames(): ReadonlyMap<string, string> {
  const pairs = jsonIn(storedNames.get());
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return new Map(Array.isArray(pairs) ? pairs.filter(isPair) : []);
}

/** The reader's names by lower-case address. */
const ownNames = createStore(readOwnNames());

/** Names an account; an empty name removes it. */
export function nameAccount(address: string, name: string): void {
  const changed = new Map(ownNames.get());
  const text = name.trim().slice(0, MAX_NAME);
  if (text === "") changed.delete(address.toLowerCase());
  else changed.set(address.toLowerCase(), text);
  ownNames.set(changed);
  storedNames.set(changed.size === 0 ? "" : JSON.stringify([...changed]));
}

export const useOwnName = (address: string): string | undefined =>
  ownNames.use().get(address.toLowerCase());

const isNamed = (name: string, text: string) => name.toLowerCase() === text.trim().toLowerCase();

/** The accounts whose names, given by the reader, contain a text. */
export const findOwnNames = (text: string) =>
  [...ownNames.get()]
    .filter(([, name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(([address, name]) => ({ address, name }));

/** The address of a name: the reader's own, or that of one token or verified contract. */
export async function resolveName(text: string): Promise<string | undefined> {
  const ownName = findOwnNames(text).find(({ name }) => isNamed(name, text));
  if (ownName) return ownName.address;
  const { candidates } = await inspect("search", { q: text });
  const matches = candidates.flatMap((candidate) => {
    if (candidate.kind === "contract")
      return isNamed(candidate.contract_name, text) ? [candidate.address] : [];
    if (candidate.kind !== "token") return [];
    const { token_name, token_symbol, token_address } = candidate;
    return [token_name, token_symbol].some((name) => isNamed(name ?? "", text))
      ? [token_address]
      : [];
  });
  const addresses = new Set(matches);
  return addresses.size === 1 ? matches[0] : undefined;
}
