// A node that tests ask directly, beside what they test.

export interface TestNode {
  readonly url: string;
  /** The result of a call; the node's error is thrown. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Asks the node at an address. */
export const asking =
  (url: string): TestNode["ask"] =>
  async (method, ...params) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
