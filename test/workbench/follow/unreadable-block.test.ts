// When a block counts as unreadable, and what the error says of it.
import { expect, test } from "vitest";
import { UnreadableBlocks } from "../../../mocks/workbench/follow/unreadable-block.ts";

const hash = `0x${"ab".repeat(32)}`;
const other = `0x${"cd".repeat(32)}`;
const block = (own: unknown) => ({ block: { hash: own }, receipts: [] });
const cause = new Error("block 5: timestamp: expected less");

/** What `current` is after each time that something is noted. */
function after(...notes: ((blocks: UnreadableBlocks) => void)[]) {
  const blocks = new UnreadableBlocks();
  return notes.map((note) => {
    note(blocks);
    return blocks.current;
  });
}
const unread =
  (own: unknown, number = 5) =>
  (blocks: UnreadableBlocks) =>
    blocks.note(number, block(own), cause);
const unlinked = (below: string) => (blocks: UnreadableBlocks) =>
  blocks.noteUnlinked({ number: 5, hash, parentHash: `0x${"ee".repeat(32)}`, below });
const missing = (number: number) => (blocks: UnreadableBlocks) => blocks.noteMissing(number, 9);

test("nothing is unreadable before the third time in a row", () => {
  expect(new UnreadableBlocks().current).toBeUndefined();
  for (const note of [unread(hash), unlinked(other), missing(5)]) {
    const [first, second, third, fourth] = after(note, note, note, note);
    expect([first, second]).toEqual([undefined, undefined]);
    expect([third?.number, fourth?.number]).toEqual([5, 5]);
  }
});

test.each([
  ["another number", unread(hash, 6)],
  ["another hash", unread(other)],
  ["another block below", unlinked(other)],
  ["no block at all", missing(5)],
])("%s is another block, which counts from the beginning", (_, note) => {
  const same = unread(hash);
  expect(after(same, same, note, same).every((current) => current === undefined)).toBe(true);
  const again = after(same, same, same, note, note, note);
  expect(again.map((current) => current !== undefined)).toEqual([
    ...[false, false, true],
    ...[false, false, true],
  ]);
});

test("is none once it is cleared", () => {
  const same = unread(hash);
  expect(after(same, same, same, (blocks) => blocks.clear(), same).map(Boolean)).toEqual([
    ...[false, false, true],
    ...[false, false],
  ]);
});

test("has its hash, if that can be read, and the block below, if that is not its parent", () => {
  const third = (note: (blocks: UnreadableBlocks) => void) => after(note, note, note)[2];
  expect(third(unread(hash))).toMatchObject({ number: 5, hash, below: undefined });
  expect(third(unread("0x12"))).toMatchObject({ number: 5, hash: undefined, below: undefined });
  expect(third(unlinked(other))).toMatchObject({ number: 5, hash, below: other });
  expect(third(missing(5))).toMatchObject({ number: 5, hash: undefined, below: undefined });
});

test.each([
  ["timestamp: expected less", "set the node's time to seconds since 1970"],
  ["the transaction is there twice", "the node mined the same transaction twice"],
  ["the chain already has the transaction", "the node mined the same transaction twice"],
  ["something else", "check the node's response"],
])("%s: the advice is to %s", (reason, advice) => {
  const blocks = new UnreadableBlocks();
  const error = new Error(reason);
  for (let read = 0; read < 3; read += 1) blocks.note(5, block(hash), error);
  expect(blocks.current?.error.message).toMatch(
    /^cannot read block 5; the blocks before it are served, and it is tried again/,
  );
  expect(blocks.current?.error.message).toContain(`: ${reason}. What to do: ${advice}`);
  expect(blocks.current?.error.cause).toBe(error);
});

test("the error names both blocks, or the block and the head", () => {
  const third = (note: (blocks: UnreadableBlocks) => void) => after(note, note, note)[2]?.error;
  expect(third(unlinked(other))?.message).toContain(
    `the node's block 5 (${hash}) does not follow its block 4 (${other}): its parent is 0xeeee`,
  );
  expect(third(missing(5))?.message).toContain(
    "the node does not have block 5, though its head is block 9",
  );
});
