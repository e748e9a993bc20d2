// What the whole page follows: the clock, the newest block, the theme, how times are shown.
import { createStore, createStoredText } from "./store.ts";

/** Milliseconds since 1970, moved on every ten seconds. */
export const clock = createStore(Date.now());

const times = createStoredText(() => localStorage, "explorer-times");
export const isAbsolute = createStore(times.get() === "absolute");
export function toggleTimes(): void {
  isAbsolute.set(!isAbsolute.get());
  times.set(isAbsolute.get() ? "absolute" : "");
}

/** "light", "dark", or as the system has it. */
export const theme = createStoredText(() => localStorage, "explorer-theme");
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
