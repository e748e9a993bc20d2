// Which view the address names: `#/account/0x…?list=logs` is the view `account`, its subject, and what is chosen in it.
import { createStore } from "./store.ts";

export interface PageRoute {
  readonly view: string;
  /** What the view shows: an address, a hash, a number; empty where it shows everything. */
  readonly subject: string;
  readonly query: URLSearchParams;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The route of a fragment; an empty one is Home. */
function parseRoute(fragment: string): PageRoute {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [view = "", ...rest] = path.split("/");
  return { view, subject: decode(rest.join("/")), query: new URLSearchParams(query) };
}

/** The address of a view. */
export function href(view: string, subject: unknown = "", query: Record<string, string> = {}) {
  const given = new URLSearchParams(query);
  const path = subject === "" ? view : `${view}/${encodeURIComponent(String(subject))}`;
  return `#/${path}${given.size > 0 ? `?${given}` : ""}`;
}

export const route = createStore(parseRoute(""));

/** An entry of the history as it was left: where it was scrolled to, and its lists by label. */
interface Entry {
  scroll: number;
  readonly lists: Map<string, unknown>;
}

/** Older entries start from the beginning. */
const MAX_ENTRIES = 20;
const entries = new Map<string, Entry>();
let current = "";

/** What is kept of the entry that is shown. */
export function shownEntry(): Entry {
  const entry = entries.get(current) ?? { scroll: 0, lists: new Map() };
  entries.delete(current);
  entries.set(current, entry);
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) break;
    entries.delete(oldest);
  }
  return entry;
}

export function followAddress(): void {
  // The browser would scroll before there is anything to scroll to.
  history.scrollRestoration = "manual";
  const read = () => {
    shownEntry().scroll = scrollY;
    const { entry } = Object(history.state);
    current = typeof entry === "string" ? entry : crypto.randomUUID();
    if (entry !== current) history.replaceState({ entry: current }, "");
    route.set(parseRoute(location.hash));
  };
  read();
  addEventListener("hashchange", read);
}

/** Scrolls to where the entry was left, until it is that long and nothing above loads any more; ends when the reader moves. */
export function scrollBack(): () => void {
  const { scroll } = shownEntry();
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
