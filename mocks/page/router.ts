// Which view the address names: `#/account/0x…?list=logs` is the view `account`, its subject, and what is chosen in it.
import { createStore } from "./store.ts";

export interface Route {
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
function parseRoute(fragment: string): Route {
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

export function followAddress(): void {
  const read = () => route.set(parseRoute(location.hash));
  read();
  addEventListener("hashchange", read);
}

export const go = (address: string): void => {
  location.hash = address;
};
