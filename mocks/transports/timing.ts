// Answers given in place take turns with timers and input, as they would if there were a network to wait for.

/** Taken before a test puts false ones in their place. */
const now = performance.now.bind(performance);

const later: (task: () => void) => void =
  globalThis.setImmediate ??
  ((task) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      task();
    };
    port2.postMessage(null);
  });

/** How long answers may follow each other before everything else has its turn. */
const patienceMs = 20;

/** Since when nothing else has had its turn, and when it will have had it. */
let waiting: { readonly since: number; readonly over: Promise<void> } | undefined;

/** At once, almost always; after the others, where a chain of answers has kept them waiting. */
export async function yieldToEventLoop(): Promise<void> {
  if (waiting === undefined) {
    const over = new Promise<void>((resolve) => {
      later(() => {
        waiting = undefined;
        resolve();
      });
    });
    waiting = { since: now(), over };
  } else if (now() - waiting.since > patienceMs) await waiting.over;
}
