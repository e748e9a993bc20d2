// The views as the page reads them, and what addresses are called: kept from every answer, and asked for addresses that other lists show.
import { useEffect } from "preact/hooks";
import type { AnyOperation, OperationInput } from "../../../src/contract/index.ts";
import { type AnswerOf, type ViewName, type Views, views } from "../../inspect/views.ts";
import { createStore } from "../store.ts";
import { askOperation } from "./call.ts";
import { keyToSend } from "./keys.ts";

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

/** By lower-case address; null where it is known to have none. */
const names = new Map<string, string | null>();

/** Counts what is learned, so that links are drawn again. */
const learned = createStore(0);

function keep(address: string, name: string | null): void {
  names.delete(address);
  names.set(address, name);
  for (const oldest of names.keys()) {
    if (names.size <= MOST) break;
    names.delete(oldest);
  }
}

function learnNames(answer: unknown): void {
  const { names: given } = Object(answer);
  if (!Array.isArray(given) || given.length === 0) return;
  for (const { address, name } of given) keep(address.toLowerCase(), name);
  learned.set(learned.get() + 1);
}

/** The answer, decoded; the names in it are remembered. */
export async function inspect<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options?: { readonly signal?: AbortSignal },
): Promise<AnswerOf<Name>> {
  const answer = await askView(name, input, options);
  learnNames(answer);
  return answer;
}

/** Forgets all: the same addresses may now be of another chain. */
export function forgetNames(): void {
  names.clear();
  learned.set(learned.get() + 1);
}

const asked = new Set<string>();

/** Asks for all names that were missed in the last moment, at once. */
async function ask(): Promise<void> {
  const batch = [...asked].slice(0, 100);
  for (const address of batch) asked.delete(address);
  for (const address of batch) keep(address, null);
  if (asked.size > 0) setTimeout(ask);
  // Without names the addresses stand for themselves.
  learnNames(await askView("names", { addresses: batch.join(",") }).catch(() => undefined));
}

/** The name of an address; null until it is known, and where there is none. */
export function useName(address: string): string | null {
  learned.use();
  const key = address.toLowerCase();
  useEffect(() => {
    if (names.has(key)) return;
    if (asked.size === 0) setTimeout(ask, 20);
    asked.add(key);
  }, [key]);
  return names.get(key) ?? null;
}
