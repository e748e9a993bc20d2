// Waiting: delays that end with their request, time limits, and pauses in which the event loop
// runs.
import { abortable, sleep } from "../../src/http/abort.ts";
import { answerTooLarge, MAX_ANSWER } from "./api.ts";

/**
 * Waits that many milliseconds or until the signal aborts, without rejecting; returns at once for
 * 0.
 */
export async function delay(ms: number, signal = new AbortController().signal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleep(ms, signal).catch(() => {});
}

/**
 * Settles like `work`, or rejects with a `TimeoutError` after that many milliseconds. Its timer
 * does not keep the process alive.
 */
export function timeLimited<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const limit = new AbortController();
  const expire = () => limit.abort(new DOMException(`Timed out after ${ms} ms`, "TimeoutError"));
  const timer = setTimeout(expire, Math.max(0, ms));
  if (typeof timer === "object") timer.unref();
  return abortable(work, limit.signal).finally(() => clearTimeout(timer));
}

/** Whether an error is a timeout of {@link timeLimited}. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "TimeoutError";

/** Fake timers (sinon, vitest, jest) never fire on their own. */
const isFake = (timer: object): boolean => "clock" in timer || "_isMockFunction" in timer;

/**
 * Finds a function that runs a task after the event loop has run, whatever timers a test has
 * replaced: Node's own `setImmediate`, which test environments hide, or a message channel.
 * Undefined where there is neither, as in some edge runtimes.
 */
function findLater(): ((task: () => void) => void) | undefined {
  const { process, setImmediate } = globalThis as Partial<typeof globalThis>;
  const ownSetImmediate = process?.getBuiltinModule?.("timers").setImmediate ?? setImmediate;
  if (ownSetImmediate && !isFake(ownSetImmediate)) return ownSetImmediate;
  const Channel =
    (globalThis as Partial<typeof globalThis>).MessageChannel ??
    process?.getBuiltinModule?.("worker_threads").MessageChannel;
  if (!Channel) return undefined;
  return (task) => {
    const { port1, port2 } = new Channel() as MessageChannel;
    port1.onmessage = () => {
      port1.close();
      task();
    };
    port2.postMessage(null);
  };
}

const later = findLater();

/** Milliseconds of work after which the event loop has to run. */
const MAX_BUSY_MS = 10;

/** Time of `performance.now` since which the event loop has not run. */
let busySince: number | undefined;

/**
 * Work that waits for the event loop. One entry runs each time, because all of them together would
 * block it again.
 */
const waiting: (() => void)[] = [];

function startBusyPeriod(later: NonNullable<ReturnType<typeof findLater>>): void {
  busySince = performance.now();
  later(() => {
    busySince = undefined;
    const next = waiting.shift();
    if (next === undefined) return;
    startBusyPeriod(later);
    next();
  });
}

/**
 * Returns a promise that resolves once the event loop has run, if it was kept busy for too long, or
 * if older work waits and `isNew` says that this work has just arrived. Otherwise undefined, so
 * that nothing has to be awaited.
 */
export function pauseIfBusy(isNew = false): Promise<void> | undefined {
  if (later === undefined) return undefined;
  if (busySince === undefined) startBusyPeriod(later);
  const isBusy = performance.now() - (busySince ?? 0) > MAX_BUSY_MS;
  if (!isBusy && !(isNew && waiting.length > 0)) return undefined;
  return new Promise<void>((resolve) => void waiting.push(resolve));
}

/**
 * Lets timers and input run between responses and between parts of long work, if the event loop was
 * kept busy.
 */
export async function yieldToEventLoop(): Promise<void> {
  await pauseIfBusy(true);
}

/** Returns the JSON of a list of any length, and yields to the event loop between items. */
export async function listJson<Item>(
  items: readonly Item[],
  jsonOf: (item: Item) => string | undefined,
): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for (const item of items) {
    const piece = jsonOf(item) ?? "null";
    length += piece.length + 1;
    if (length > MAX_ANSWER) throw answerTooLarge(pieces.length, `${pieces.length}`);
    pieces.push(piece);
    await pauseIfBusy();
  }
  return `[${pieces.join(",")}]`;
}
