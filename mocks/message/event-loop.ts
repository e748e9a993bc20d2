// How the service waits: a delay that ends with its request, a time limit, and a turn for the event loop after some work.
import { abortable, sleep } from "../../src/http/abort.ts";

/** Waits that many milliseconds or until the signal aborts, without rejecting; returns at once for 0. */
export async function delay(ms: number, signal = new AbortController().signal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleep(ms, signal).catch(() => {});
}

/** Settles like `work`, or rejects with a `TimeoutError` after that many milliseconds. Its timer does not keep the process alive. */
export function timeLimited<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const limit = new AbortController();
  const expire = () => limit.abort(new DOMException(`Timed out after ${ms} ms`, "TimeoutError"));
  const timer = setTimeout(expire, Math.max(0, ms));
  if (typeof timer === "object") timer.unref();
  return abortable(work, limit.signal).finally(() => clearTimeout(timer));
}

/** Whether {@link timeLimited} ended it. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "TimeoutError";

/** Those of a test run nothing by themselves. */
const isFake = (timer: object): boolean => "clock" in timer || "_isMockFunction" in timer;

/**
 * Runs a task once the event loop has run, whatever timers a test has replaced: by Node's own timers, which test environments hide, or a message.
 * Undefined where there is neither, as in some edge runtimes: then nobody else has a turn.
 */
function findLater(): ((task: () => void) => void) | undefined {
  const { process, setImmediate } = globalThis as Partial<typeof globalThis>;
  const nodes = process?.getBuiltinModule?.("timers").setImmediate ?? setImmediate;
  if (nodes && !isFake(nodes)) return nodes;
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

/** How long work may follow work before the event loop runs. */
const MAX_BUSY_MS = 10;

/** Since when the event loop has not run. */
let busySince: number | undefined;

/** Who waits for it. Each has a turn alone: what all of them do together would be one long turn. */
const waiting: (() => void)[] = [];

function beginTurn(later: NonNullable<ReturnType<typeof findLater>>): void {
  busySince = performance.now();
  later(() => {
    busySince = undefined;
    const next = waiting.shift();
    if (next === undefined) return;
    beginTurn(later);
    next();
  });
}

/** Undefined unless the event loop was kept busy, or others wait before work that is new: then a promise that resolves once it has run. */
export function eventLoopTurn(isNew = false): Promise<void> | undefined {
  if (later === undefined) return undefined;
  if (busySince === undefined) beginTurn(later);
  const isBusy = performance.now() - (busySince ?? 0) > MAX_BUSY_MS;
  if (!isBusy && !(isNew && waiting.length > 0)) return undefined;
  return new Promise<void>((resolve) => void waiting.push(resolve));
}

/**
 * Lets timers and input run between responses and between parts of long work. It almost always returns at once; it yields only after others
 * have kept the event loop busy.
 */
export async function yieldToEventLoop(): Promise<void> {
  await eventLoopTurn(true);
}

/** Returns the JSON of a list of any length, and yields to the event loop between items. */
export async function listJson<Item>(
  items: readonly Item[],
  jsonOf: (item: Item) => string | undefined,
): Promise<string> {
  const pieces: string[] = [];
  for (const item of items) {
    pieces.push(jsonOf(item) ?? "null");
    await eventLoopTurn();
  }
  return `[${pieces.join(",")}]`;
}
