// The views as the page reads them, and what addresses are called: kept from every answer, asked for addresses that other lists show, or given by the reader.

import { useEffect } from "preact/hooks";
import type { AnyOperation, OperationInput } from "../../../src/contract/index.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { type AnswerOf, type ViewName, type Views, views } from "../../inspect/views.ts";
import { createCache, createStore, createStoredText, keyToSend } from "../store.ts";
import { askOperation } from "./call.ts";

type InputOf<Name extends ViewName> = OperationInput<Views[Name]>;

/** The parameters of a view; also as text, as they are in the page's address. */
export type ViewInput<Name extends ViewName> = {
  readonly [Key in keyof InputOf<Name>]: InputOf<Name>[Key] | string;
};

async function askView<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<AnswerOf<Name>> {
  const view: AnyOperation = views[name];
  const headers = { "api-key": keyToSend() };
  // The types do not relate a name to its view's results.
  return (await askOperation<AnyOperation>(view, input, { signal, headers })) as AnswerOf<Name>;
}

/** More are not kept: a chain may have any number of tokens. */
const MOST = 2000;

/** The most that one answer names. */
const BATCH = 100;

/** Data requested for many rows at once, by lower-case key. */
function createLookup<Value>(
  load: (keys: string) => Promise<readonly (readonly [string, Value])[]>,
) {
  /** Null where it is known to have none, undefined until it is asked. */
  const known = createCache(() => createStore<Value | null | undefined>(undefined), MOST);
  const asked = new Set<string>();

  function learn(found: readonly (readonly [string, Value])[]): void {
    for (const [key, value] of found) known(key.toLowerCase()).set(value);
  }

  /** Asks for all that was missed in the last moment, at once. */
  async function ask(): Promise<void> {
    const batch = [...asked].slice(0, BATCH);
    for (const key of batch) {
      asked.delete(key);
      known(key).set(null);
    }
    if (asked.size > 0) setTimeout(ask);
    // Without names the keys stand for themselves.
    learn(await load(batch.join(",")).catch(() => []));
  }

  return {
    learn,
    /** For components: null until it is known, and where there is none. */
    use(given: string): Value | null {
      const key = given.toLowerCase();
      const store = known(key);
      useEffect(() => {
        if (store.get() !== undefined) return;
        if (asked.size === 0) setTimeout(ask, 20);
        asked.add(key);
      }, [store]);
      return store.use() ?? null;
    },
  };
}

type Names = AnswerOf<"names">["names"];

const pairs = (names: Names) => names.map(({ address, name }) => [address, name] as const);

const names = createLookup(async (addresses) =>
  pairs((await askView("names", { addresses })).names),
);

/** The answer, decoded; the names in it are remembered. */
export async function inspect<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options?: { readonly signal?: AbortSignal },
): Promise<AnswerOf<Name>> {
  const answer = await askView(name, input, options);
  if ("names" in answer) names.learn(pairs(answer.names));
  return answer;
}

/** The name of an address. */
export const useName = names.use;

/** As long as a name that an answer has. */
export const MAX_NAME = 60;

const storedNames = createStoredText(() => localStorage, "explorer-names");

/** Of what anybody may have written there, the pairs of texts. */
function readOwnNames(): ReadonlyMap<string, string> {
  const pairs = jsonIn(storedNames.get());
  const isPair = (one: unknown): one is [string, string] =>
    Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string");
  return new Map(Array.isArray(pairs) ? pairs.filter(isPair) : []);
}

/** By lower-case address. */
const ownNames = createStore(readOwnNames());

/** Gives an account a name; an empty one takes it away. */
export function nameAccount(address: string, name: string): void {
  const changed = new Map(ownNames.get());
  const text = name.trim().slice(0, MAX_NAME);
  if (text === "") changed.delete(address.toLowerCase());
  else changed.set(address.toLowerCase(), text);
  ownNames.set(changed);
  storedNames.set(changed.size === 0 ? "" : JSON.stringify([...changed]));
}

/** The reader's own name for an account; undefined without one. */
export const useOwnName = (address: string): string | undefined =>
  ownNames.use().get(address.toLowerCase());

/** The accounts whose names contain a text. */
export const findOwnNames = (text: string) =>
  [...ownNames.get()]
    .filter(([, name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(([address, name]) => ({ address, name }));
