// A node that tests ask directly, beside what they test.
import { postBy } from "../../mocks/workbench/follow/rpc/post.ts";

export interface TestNode {
  readonly url: string;
  /** The result of a call; the node's error is thrown. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

const post = postBy(fetch);
/** A node that hangs fails the test that asks it, rather than the whole run. */
const LIMIT_MS = 120_000;
/** A node closes a connection that is idle for some seconds, while a test may be busy compiling: each call has its own. */
const HEADERS = { "content-type": "application/json", connection: "close" };

/** Asks the node at an address. */
export const asking =
  (url: string): TestNode["ask"] =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { text } = await post(url, body, HEADERS, AbortSignal.timeout(LIMIT_MS));
    const { result, error } = JSON.parse(text) as { result: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
