// How the service waits: a delay that ends with its request, and a yield to the event loop between responses.
import { sleep } from "../../src/http/abort.ts";

/** Waits that many milliseconds or until the signal aborts, without rejecting; returns at once for 0. */
export async function delay(ms: number, signal = new AbortController().signal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleep(ms, signal).catch(() => {});
}

/** Captured before a test installs fake timers. */
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

/** How long responses may follow each other before the event loop runs. */
const maxBusyMs = 20;

/** Since when the event loop has not run, and a promise that resolves once it has. */
let busy: { readonly since: number; readonly done: Promise<void> } | undefined;

/**
 * Lets timers and input run between responses in memory, as a network would. It almost always returns at once; it
 * yields only after a chain of responses has kept the event loop busy.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (busy === undefined) {
    const done = new Promise<void>((resolve) => {
      later(() => {
        busy = undefined;
        resolve();
      });
    });
    busy = { since: now(), done };
  } else if (now() - busy.since > maxBusyMs) await busy.done;
}
