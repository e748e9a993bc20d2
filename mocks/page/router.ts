// The route in the page's address: `#/account/0x…?list=logs` has a view, its subject, and choices.
import { isObject } from "../../src/models/json.ts";
import { createStore } from "./store.ts";

export interface PageRoute {
  readonly view: string;
  /** An address, a hash or a number; empty for a view of everything. */
  readonly subject: string;
  readonly query: URLSearchParams;
  /** Identifies the entry of the history. */
  readonly entry: string;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function parseRoute(fragment: string, entry: string): PageRoute {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [view = "", ...rest] = path.split("/");
  return { view, subject: decode(rest.join("/")), query: new URLSearchParams(query), entry };
}

export function href(view: string, subject: unknown = "", query: Record<string, string> = {}) {
  const parameters = new URLSearchParams(query);
  const path = subject === "" ? view : `${view}/${encodeURIComponent(String(subject))}`;
  return `#/${path}${parameters.size > 0 ? `?${parameters}` : ""}`;
}

export const route = createStore(parseRoute("", ""));

/** Scroll positions of the entries of the history when they were left. */
const scrolls = new Map<string, number>();

/** Not `crypto.randomUUID`, because it is missing outside of secure contexts. */
const newEntry = () => `${Date.now()}.${Math.random()}`;

/** Returns undefined for a new entry. */
function knownEntry(): string | undefined {
  const state: unknown = history.state;
  return isObject(state) && typeof state.entry === "string" ? state.entry : undefined;
}

export function followAddress(): void {
  // The browser would scroll before the view has loaded.
  history.scrollRestoration = "manual";
  const follow = () => {
    const left = route.get();
    scrolls.set(left.entry, scrollY);
    const entry = knownEntry();
    const shown = parseRoute(location.hash, entry ?? newEntry());
    if (entry === undefined) {
      history.replaceState({ entry: shown.entry }, "");
      // Another tab or filter of the same view keeps the scroll position.
      if (isSameView(shown, left)) scrolls.set(shown.entry, scrollY);
    }
    route.set(shown);
  };
  follow();
  addEventListener("hashchange", follow);
}

const isSameView = (left: PageRoute, right: PageRoute) =>
  left.view === right.view && left.subject === right.subject;

/** Scrolls to where the entry was left. Its answers are cached, so its view is drawn already. */
export const scrollBack = (): void => scrollTo(0, scrolls.get(route.get().entry) ?? 0);

export const go = (address: string): void => {
  location.hash = address;
};

/** Changes choices in the address. An empty text removes one. */
export function choose(choices: Readonly<Record<string, string>>): void {
  const { view, subject, query } = route.get();
  const chosen = { ...Object.fromEntries(query), page: "", from: "", ...choices };
  const choicesLeft = Object.entries(chosen).filter(([, value]) => value !== "");
  go(href(view, subject, Object.fromEntries(choicesLeft)));
}
