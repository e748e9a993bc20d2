// Asks again and again, but only while somebody looks at the page.

/** Calls `ask` every `ms` while the page is visible, one at a time; returns what ends it. */
export function poll(ask: () => Promise<void>, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isOver = false;
  const next = async () => {
    clearTimeout(timer);
    if (isAsking || isOver || document.hidden) return;
    isAsking = true;
    // What goes wrong is shown by whoever asks.
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
