// The short form of a store's blocks: its version, and what becomes of a file in another form.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BlockInput } from "../../../../mocks/double/chain/records.ts";
import { generateChain } from "../../../../mocks/double/sources/generator.ts";
import { PackedBlocks } from "../../../../mocks/workbench/follow/store/packed-blocks.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mrc-packed-"));
  path = join(folder, "blocks.packed");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const chain = generateChain({ blocks: 5 });
const inputs = Array.from({ length: chain.length }, (_, at) => chain.blockInput(at) as BlockInput);

/** The blocks in the file. */
async function stored(): Promise<BlockInput[]> {
  const blocks = await PackedBlocks.open(path);
  const found: BlockInput[] = [];
  for await (const { input } of blocks.blocks()) found.push(input);
  await blocks.close();
  return found;
}

beforeEach(async () => {
  const blocks = await PackedBlocks.open(path);
  await blocks.append(
    inputs,
    inputs.map((_, at) => at),
  );
  await blocks.close();
});

/** Changes the first line, which says what form the file has. */
function changeForm(change: (form: { version: number; fields: Record<string, string[]> }) => void) {
  const [first = "", ...others] = readFileSync(path, "utf8").split("\n");
  const form = JSON.parse(first.slice(8));
  change(form);
  const text = JSON.stringify(form);
  const line = crc32(text).toString(16).padStart(8, "0") + text;
  writeFileSync(path, [line, ...others].join("\n"));
}

test("blocks come back as they were appended", async () => {
  expect(await stored()).toEqual(inputs);
});

test("amounts of any size come back, negative credits too", async () => {
  const amounts = [2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 2n ** 256n - 1n, -1n, 0n];
  const [genesis] = inputs;
  const input: BlockInput = {
    block: { ...(genesis as BlockInput).block, fees: 2n ** 64n, baseFeePerGas: null },
    executions: [],
    credits: amounts.map((amount, at) => [`0x${String(at).padStart(40, "0")}`, amount]),
  };
  const blocks = await PackedBlocks.open(path);
  await blocks.cut(0);
  await blocks.append([input], [0]);
  await blocks.close();
  expect(await stored()).toEqual([input]);
});

test("an unknown version is refused by name, and the file stays as it is", async () => {
  changeForm((form) => {
    form.version = 3;
  });
  const before = readFileSync(path);
  await expect(stored()).rejects.toThrow(
    /blocks\.packed has version 3 of the form of a store, and this release knows version 2\. What to do: /,
  );
  expect(readFileSync(path)).toEqual(before);
});

test("records with other fields are dropped, since the node's form has more", async () => {
  changeForm(({ fields }) => fields.transaction?.pop());
  expect(await stored()).toEqual([]);
  const blocks = await PackedBlocks.open(path);
  await blocks.append(inputs.slice(0, 1), [0]);
  await blocks.close();
  expect(await stored()).toEqual(inputs.slice(0, 1));
});

test("a field in another form, or under another name, is another one", async () => {
  for (const field of ["hash: other", "other: hash"]) {
    changeForm(({ fields }) => fields.transaction?.splice(0, 1, field));
    expect(await stored()).toEqual([]);
  }
});

/** Changes one byte, of a digit to another digit where it is one. */
function damage(at: number) {
  const bytes = readFileSync(path);
  bytes[at] = bytes[at] === 0x31 ? 0x32 : 0x31;
  writeFileSync(path, bytes);
}

test("a damaged first line empties the file, and another one ends the blocks before it", async () => {
  const lines = readFileSync(path, "utf8").split("\n");
  const [first = "", second = ""] = lines;
  // In the second block.
  damage(`${first}\n${second}\n`.length + 20);
  expect(await stored()).toEqual(inputs.slice(0, 1));
  damage(0);
  expect(await stored()).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe(`${first}\n`);
});
