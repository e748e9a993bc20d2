// A follower reads or appends one block between two turns of the event loop, however fast or slow the machine is.
import { afterAll, expect, test, vi } from "vitest";
import { Chain } from "../../mocks/chain/chain.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { FakeNode } from "../support/fake-node.ts";

// With modules of its own, since others share theirs, and one of these is another.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("../../mocks/message/event-loop.ts");
  vi.doUnmock("../../mocks/ingest/block.ts");
  vi.resetModules();
});
/** What the follower did, in order. */
const steps: string[] = vi.hoisted(() => []);

vi.mock("../../mocks/message/event-loop.ts", async (original) => ({
  ...(await original<typeof import("../../mocks/message/event-loop.ts")>()),
  // As where each block takes long.
  pauseIfBusy: async () => {
    steps.push("turn");
  },
}));
vi.mock("../../mocks/ingest/block.ts", async (original) => {
  const block = await original<typeof import("../../mocks/ingest/block.ts")>();
  const readBlock: typeof block.readBlock = (...given) => {
    steps.push("read");
    return block.readBlock(...given);
  };
  return { ...block, readBlock };
});

test("after each block that is read, and each that is appended, others have their turn", async () => {
  const append = Chain.prototype.append;
  vi.spyOn(Chain.prototype, "append").mockImplementation(function (this: Chain, ...given) {
    steps.push("append");
    append.apply(this, given);
  });
  const node = new FakeNode();
  const { chain, close } = await followNode(node.url, { fetch: node.fetch, interval: 60_000 });
  await close();
  const count = (step: string) => steps.filter((one) => one === step).length;
  expect(count("append")).toBe(chain.length);
  expect(count("read")).toBe(chain.length);
  const inOneTurn = steps.filter((step, at) => step !== "turn" && steps[at + 1] !== "turn");
  expect(inOneTurn).toEqual([]);
});
