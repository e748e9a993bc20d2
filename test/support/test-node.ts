// A node that tests ask directly, beside what they test.
import { setImmediate } from "node:timers/promises";

export interface TestNode {
  readonly url: string;
  /** The result of a call; the node's error is thrown. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** A node that hangs fails the test that asks it, rather than the whole run. */
const LIMIT_MS = 120_000;

/** Asks the node at an address. */
export const asking =
  (url: string): TestNode["ask"] =>
  async (method, ...params) => {
    // A node closes idle connections while a test compiles for seconds: a turn of the event loop notices it.
    await setImmediate();
    await setImmediate();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
