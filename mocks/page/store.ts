// Values that components follow, such as the theme and the keys.
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  /** Redraws all followers if the value differs. */
  set(value: T): void;
  /** Returns the value to a component, and redraws it on each change. */
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
      const drawn = current;
      useEffect(() => {
        const follow = () => redraw({});
        followers.add(follow);
        // The value may have changed between drawing and this effect.
        if (!Object.is(drawn, current)) follow();
        return () => {
          followers.delete(follow);
        };
      }, [followers]);
      return current;
    },
  };
}

/** A text that survives a reload. Choices are in `localStorage`, secrets in `sessionStorage`. */
export function createStoredText(storage: () => Storage, name: string): Store<string> {
  const store = createStore(read());
  // Where the browser blocks site data there is no storage, and the value lasts as long as the
  // page.
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

/** Milliseconds since 1970, updated every ten seconds. */
export const clock = createStore(Date.now());

/** The form of times: "" relative, "absolute" in UTC, "local" in the reader's zone. */
export const times = createStoredText(() => localStorage, "explorer-times");

/** "light", "dark", or "" for the setting of the system. */
export const theme = createStoredText(() => localStorage, "explorer-theme");
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

const storage = () => sessionStorage;

export const apiKey = createStoredText(storage, "explorer-api-key");

export const adminToken = createStoredText(storage, "explorer-admin-token");

/** Takes the admin token from the address that `serve` prints, and removes it from the history. */
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

/** Defaults to any text, because a service without listed keys or tenants accepts every key. */
export const keyToSend = (): string => apiKey.get() || "page";

/** An LRU cache by API key and text. */
export function createCache<Value>(create: () => Value, most: number): (key: string) => Value {
  const entries = new Map<string, Value>();
  return (key) => {
    const whole = `${keyToSend()} ${key}`;
    const value = entries.get(whole) ?? create();
    entries.delete(whole);
    entries.set(whole, value);
    const [oldest] = entries.keys();
    if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    return value;
  };
}
