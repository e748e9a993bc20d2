// Polls the head of the chain while the page is visible.
import type { AnswerOf } from "../../inspect/views.ts";
import { apiKey, clock, createStore } from "../store.ts";
import { inspect } from "./inspect.ts";

export const head = createStore<AnswerOf<"head"> | undefined>(undefined);
/** Changes with every new head, also when one replaces another. */
export const headId = createStore("");
/** Changes with a reorg or rewind. Until then, the data of a block cannot change. */
export const past = createStore("");
/** Why the last poll failed; undefined while the service responds. */
export const headError = createStore<unknown>(undefined);
export const access = createStore<AnswerOf<"access"> | undefined>(undefined);

const EVERY_MS = 1000;

async function ask(): Promise<void> {
  clock.set(Math.floor(Date.now() / 10_000) * 10_000);
  try {
    if (access.get() === undefined) access.set(await inspect("access", {}));
    const now = await inspect("head", {});
    head.set(now);
    past.set(`${now.rewinds} ${apiKey.get()}`);
    headId.set(`${now.head?.block_hash} ${now.rewinds} ${apiKey.get()}`);
    headError.set(undefined);
  } catch (error) {
    headError.set(error);
  }
}

/** Polls at once, after the page itself has changed the chain. */
export const refreshHead = ask;

export const followHead = (): (() => void) => poll(ask, EVERY_MS);

/** Calls `ask` while the page is visible, one at a time. Returns a function that stops it. */
export function poll(ask: () => Promise<void>, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isOver = false;
  const next = async () => {
    clearTimeout(timer);
    if (isAsking || isOver || document.hidden) return;
    isAsking = true;
    // The caller shows the error.
    await ask().catch(() => {});
    isAsking = false;
    if (!isOver) timer = setTimeout(next, ms);
  };
  document.addEventListener("visibilitychange", next);
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", next);
  };
}
