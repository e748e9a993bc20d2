// A file of lines: what was appended is read back, from any line on and whatever the lengths, and cut off where it is told.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LineFile } from "../../../../mocks/workbench/follow/store/line-file.ts";

let folder: string;
let path: string;
const opened: LineFile[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mrc-lines-"));
  path = join(folder, "lines");
});
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(at = path): Promise<LineFile> {
  const file = await LineFile.open(at);
  opened.push(file);
  return file;
}

/** The lines from a position on, and where each ends. */
async function read(file: LineFile, from?: number): Promise<[string, number][]> {
  const found: [string, number][] = [];
  for await (const { bytes, end } of file.lines(from)) found.push([bytes.toString(), end]);
  return found;
}

test("lines come back with their ends, from any of them on, also in the next process", async () => {
  const file = await open();
  expect([file.length, await read(file)]).toEqual([0, []]);
  expect(await file.append(["a", "", "\u00fc"])).toEqual([2, 3, 6]);
  expect(await file.append(["b"])).toEqual([8]);
  const lines = [
    ["a", 2],
    ["", 3],
    ["\u00fc", 6],
    ["b", 8],
  ];
  expect(await read(file)).toEqual(lines);
  expect(await read(file, 3)).toEqual(lines.slice(2));
  const again = await open();
  expect([again.length, await read(again)]).toEqual([8, lines]);
});

test("lines may be longer than what is read at once, and end where that ends", async () => {
  const file = await open();
  const lines = [2 ** 20 - 1, 3 * 2 ** 20, 5, 2 ** 20].map((length, index) =>
    String(index).repeat(length),
  );
  const ends = await file.append(lines);
  const found = await read(file);
  expect(found.map(([, end]) => end)).toEqual(ends);
  expect(`${found.map(([line]) => line)}`).toBe(`${lines}`);
});

test("half a line at the end is none; the next line takes its place once it is cut off", async () => {
  writeFileSync(path, "a\nhalf");
  const file = await open();
  expect(file.length).toBe(6);
  expect(await read(file)).toEqual([["a", 2]]);
  await file.cut(2);
  expect(readFileSync(path, "utf8")).toBe("a\n");
  expect(await file.append(["b"])).toEqual([4]);
  expect(readFileSync(path, "utf8")).toBe("a\nb\n");
});

test("what another hand appended stays where nothing is to be cut off, and nothing appended changes nothing", async () => {
  const file = await open();
  await file.append(["a"]);
  appendFileSync(path, "more");
  await file.cut(2);
  expect(await file.append([])).toEqual([]);
  expect([file.length, readFileSync(path, "utf8")]).toEqual([2, "a\nmore"]);
});

test("nothing is written after it was closed", async () => {
  const file = await LineFile.open(path);
  await file.close();
  await expect(file.append(["a"])).rejects.toThrow();
});

test("a folder that is missing, or in the way, is an error of the file system", async () => {
  await expect(LineFile.open(join(folder, "none", "lines"))).rejects.toMatchObject({
    code: "ENOENT",
  });
  await expect(LineFile.open(folder)).rejects.toMatchObject({ code: "EISDIR" });
});
