// Which view the address names: `#/account/0x…?list=logs` is the view `account`, its subject, and what is chosen in it.
import { isObject } from "../../src/models/json.ts";
import { createStore } from "./store.ts";

export interface PageRoute {
  readonly view: string;
  /** What the view shows: an address, a hash, a number; empty where it shows everything. */
  readonly subject: string;
  readonly query: URLSearchParams;
  /** The entry of the history. */
  readonly entry: string;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The route of a fragment; an empty one is Home. */
function parseRoute(fragment: string, entry: string): PageRoute {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [view = "", ...rest] = path.split("/");
  return { view, subject: decode(rest.join("/")), query: new URLSearchParams(query), entry };
}

/** The address of a view. */
export function href(view: string, subject: unknown = "", query: Record<string, string> = {}) {
  const given = new URLSearchParams(query);
  const path = subject === "" ? view : `${view}/${encodeURIComponent(String(subject))}`;
  return `#/${path}${given.size > 0 ? `?${given}` : ""}`;
}

export const route = createStore(parseRoute("", ""));

/** By entry of the history: where it was scrolled to when it was left. */
const scrolls = new Map<string, number>();

/** The id of the entry that is shown; undefined where it is new. */
function knownEntry(): string | undefined {
  const state: unknown = history.state;
  return isObject(state) && typeof state.entry === "string" ? state.entry : undefined;
}

export function followAddress(): void {
  // The browser would scroll before there is anything to scroll to.
  history.scrollRestoration = "manual";
  const read = () => {
    const left = route.get();
    scrolls.set(left.entry, scrollY);
    const known = knownEntry();
    const shown = parseRoute(location.hash, known ?? crypto.randomUUID());
    if (known === undefined) {
      history.replaceState({ entry: shown.entry }, "");
      // Another tab or filter of what is shown leaves the reader where they are.
      if (isSameView(shown, left)) scrolls.set(shown.entry, scrollY);
    }
    route.set(shown);
  };
  read();
  addEventListener("hashchange", read);
}

const isSameView = (one: PageRoute, other: PageRoute) =>
  one.view === other.view && one.subject === other.subject;

/** Scrolls to where the entry was left, until it is that long and nothing above loads any more; ends when the reader moves. */
export function scrollBack(): () => void {
  const scroll = scrolls.get(route.get().entry) ?? 0;
  scrollTo(0, scroll);
  if (scroll === 0) return () => {};
  const observer = new ResizeObserver(() => {
    scrollTo(0, scroll);
    if (scrollY >= scroll - 1 && document.querySelector(".skeleton") === null) stop();
  });
  const stop = () => {
    observer.disconnect();
    for (const name of moves) removeEventListener(name, stop);
  };
  const moves = ["wheel", "pointerdown", "keydown"] as const;
  for (const name of moves) addEventListener(name, stop, { once: true });
  observer.observe(document.body);
  return stop;
}

export const go = (address: string): void => {
  location.hash = address;
};

/** Goes to the same view with other choices in its address, such as a filter; "" takes one out. A list then begins at its first page. */
export function choose(choices: Readonly<Record<string, string>>): void {
  const { view, subject, query } = route.get();
  const chosen = { ...Object.fromEntries(query), page: "", from: "", ...choices };
  const given = Object.entries(chosen).filter(([, value]) => value !== "");
  go(href(view, subject, Object.fromEntries(given)));
}
