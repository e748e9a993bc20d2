// A wait that ends early when nobody waits for what comes after it: no timer outlives its request.

/** A timer that is set to longer than this goes off at once. */
const longest = 2 ** 31 - 1;

/** Waits so many milliseconds, or until the signal; none at all for 0. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, longest));
    signal?.addEventListener("abort", end);
  });
}
