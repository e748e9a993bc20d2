// The text of a file of the page, in parts.
import { expect, test } from "vitest";
import { fileParts } from "../../../mocks/page/format/file.ts";

async function* records(count: number) {
  for (let at = 0; at < count; at++)
    yield { block: BigInt(at), at: new Date(Date.UTC(2026, 0, 1 + at)), name: `=n${at}` };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => `${at},2026-01-0${1 + at}T00:00:00Z,'=n${at}`);

test.each([
  [0, []],
  [1, []],
  [2, [2]],
  [5, [2, 4]],
  [6, [2, 4, 6]],
])(
  "%i records are a line each below one line of names, whatever a part holds",
  async (count, progress) => {
    const reported: number[] = [];
    const parts = await fileParts("csv", records(count), (done) => reported.push(done), 2);
    const lines = parts.join("").split(/\r?\n/).filter(Boolean);
    expect(lines).toEqual(count === 0 ? [] : ["block,at,name", ...rows(count)]);
    expect(reported).toEqual(progress);
    expect(parts).toHaveLength(progress.length + 1);
  },
);

test.each([0, 1, 2, 5])("%i records are a list in a JSON file", async (count) => {
  const parts = await fileParts("json", records(count), () => {}, 2);
  const list = Array.from({ length: count }, (_, at) => ({
    block: `${at}`,
    at: `2026-01-0${1 + at}T00:00:00Z`,
    name: `=n${at}`,
  }));
  expect(JSON.parse(parts.join(""))).toEqual(list);
});
