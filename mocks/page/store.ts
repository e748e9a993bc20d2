// Values that components read and follow: the address, the head, the theme, the keys.
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  /** Tells all followers, if the value is another one. */
  set(value: T): void;
  /** For components: the value, now and later. */
  use(): T;
}

export function createStore<T>(initial: T): Store<T> {
  const followers = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const follow of followers) follow();
    },
    use() {
      const [, redraw] = useState({});
      const seen = current;
      useEffect(() => {
        const follow = () => redraw({});
        followers.add(follow);
        // It may have changed since it was drawn.
        if (!Object.is(seen, current)) follow();
        return () => {
          followers.delete(follow);
        };
      }, [followers]);
      return current;
    },
  };
}

/** A text that survives a reload: `localStorage` for choices, `sessionStorage` for secrets. */
export function createStoredText(storage: () => Storage, name: string): Store<string> {
  const store = createStore(read());
  // A page without cookies has no storage, either: then the value lasts as long as the page.
  function read(): string {
    try {
      return storage().getItem(name) ?? "";
    } catch {
      return "";
    }
  }
  return {
    ...store,
    set(value) {
      store.set(value);
      try {
        if (value === "") storage().removeItem(name);
        else storage().setItem(name, value);
      } catch {}
    },
  };
}

/** Milliseconds since 1970, moved on every ten seconds. */
export const clock = createStore(Date.now());

/** How times are shown: "" how long ago, "absolute" in UTC, "local" where the reader is. */
export const times = createStoredText(() => localStorage, "explorer-times");

/** "light", "dark", or as the system has it. */
export const theme = createStoredText(() => localStorage, "explorer-theme");
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Gone with the tab. */
const storage = () => sessionStorage;

export const apiKey = createStoredText(storage, "explorer-api-key");

export const adminToken = createStoredText(storage, "explorer-admin-token");

/** Takes the token from the address that `serve` prints, and leaves it in no history. */
export function takeToken(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  try {
    adminToken.set(decodeURIComponent(token));
  } catch {
    adminToken.set(token);
  }
  history.replaceState(null, "", "#/");
}

/** Without listed keys and tenants any key will do. */
export const keyToSend = (): string => apiKey.get() || "page";

/** What is kept by a text, for the api-key it was asked with; the least recently used goes first. */
export function createCache<Value>(create: () => Value, most: number): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const whole = `${keyToSend()} ${key}`;
    const value = kept.get(whole) ?? create();
    kept.delete(whole);
    kept.set(whole, value);
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return value;
  };
}
