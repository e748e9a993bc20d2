// Addresses that no node has, and a node that never responds: what is said of them.
import { describe, expect, test } from "vitest";
import { type FollowOptions, followNode, startFollowing } from "../../mocks/follow/follow-node.ts";
import { FakeNode } from "../support/fake-node.ts";

const quick = { retryDelay: 0, interval: 60_000 } satisfies FollowOptions;

describe("what does not pass", () => {
  test.each<[url: string, advice: string, options?: object]>([
    ["http://127.0.0.1", "headers.a: expected a string", { headers: { a: 424242 } }],
    ["ws://127.0.0.1:8545", "try http://127.0.0.1:8545,"],
    ["wss://user:secret@node.test/v3/secret?key=secret", "try https://node.test/…,"],
    ["ftp://127.0.0.1", "such as http://127.0.0.1:8545"],
  ])("%s is refused with what to do: %s", async (url, advice, options) => {
    const failure = await followNode(url, options).catch(String);
    expect(failure).toContain(advice);
    expect(failure).not.toMatch(/secret|4242/);
  });

  test("a request without a response is named with its method in the status", async () => {
    const node = new FakeNode();
    node.faults = {
      post: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const retried: string[] = [];
    const follower = startFollowing(node.url, {
      ...{ ...quick, fetch: node.fetch, timeout: 20, retries: 1, onError: () => {} },
      onRetry: ({ message }) => retried.push(message),
    });
    await expect(follower.update()).rejects.toThrow(
      "cannot reach the node at http://node.test: eth_getBlockByNumber timed out after 0.02 s",
    );
    expect(follower.status().lastError?.message).toContain("eth_getBlockByNumber timed out");
    expect(retried).toContain(follower.status().lastError?.message);
    await follower.close();
  });
});
