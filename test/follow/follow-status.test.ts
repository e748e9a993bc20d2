// A follower's status as a line, which failures are final, and each of them told once.
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FollowStatus } from "../../mocks/chain/live-chain.ts";
import { describeStatus, FollowError, isFinal } from "../../mocks/follow/follow-status.ts";
import { PostError } from "../../mocks/follow/rpc/post.ts";
import { StoreError } from "../../mocks/follow/store/chain-store.ts";
import { IngestError } from "../../mocks/ingest/read.ts";
import { oncePerMessage } from "../../src/errors/base.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 100_000 });
});
const status: FollowStatus = {
  ...{ state: "catching-up", first: 0, head: 7, nodeHead: 90, lag: 83, blocks: 8, transactions: 9 },
  ...{ blocksPerSecond: null, transactionsPerSecond: null, secondsLeft: null, swept: null },
  ...{ missing: [], lastError: null },
};
const failed = (ago: number) => ({ message: "it failed", at: new Date(100_000 - ago) });

test.each<[string, Partial<FollowStatus>]>([
  ["at block 7 of 90", {}],
  ["at block - of 90", { head: null }],
  [
    "at block 7 of 90, 12 blocks/s, 3 transactions/s, 8 s left",
    { blocksPerSecond: 12.4, transactionsPerSecond: 2.6, secondsLeft: 7.1 },
  ],
  ["at block 7 of 90", { blocksPerSecond: 12 }],
  ["at block 7 of 90", { transactionsPerSecond: 12 }],
  // A failure is part of it for ten seconds.
  ["at block 7 of 90; it failed", { lastError: failed(9_999) }],
  ["at block 7 of 90", { lastError: failed(10_000) }],
  ["waiting for the node: no response yet", { nodeHead: null }],
  ["waiting for the node: it failed", { nodeHead: null, lastError: failed(60_000) }],
  ["reading the stored chain", { nodeHead: null, state: "restoring" }],
  ["requesting the state of the accounts in 5 blocks: 2 done", { swept: { of: 5, blocks: 2 } }],
])("%s", (line, given) => {
  expect(describeStatus({ ...status, ...given })).toBe(line);
});

describe("an update that failed", () => {
  test.each<[string, unknown, boolean]>([
    ["with what the user must mend", new FollowError("choose"), true],
    ["because of its store", new StoreError("another chain"), true],
    ["because access is refused", new PostError("401", "final"), true],
    ["because the node was not reached", new PostError("down", "transient"), false],
    ["because of a block", new IngestError("unreadable"), false],
    ["otherwise", new Error("x"), false],
  ])("%s", (_, error, final) => {
    expect(isFinal(error)).toBe(final);
  });
});

test("a failure is told once, until another one comes", () => {
  const told: string[] = [];
  const tell = oncePerMessage((message) => told.push(message));
  for (const message of ["a", "a", "b", "a", "a"]) tell(new Error(message));
  expect(told).toEqual(["a", "b", "a"]);
});
