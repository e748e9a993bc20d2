// A chain with more accounts than a Map or a Set holds, which is 2^24.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ForkMap } from "../../../mocks/double/chain/fork-map.ts";
import { limit } from "../../support/runs.ts";

const PROGRAM = fileURLToPath(new URL("../../support/many-accounts.fixture.ts", import.meta.url));

test(
  "a chain knows 20 million accounts",
  async () => {
    // In a process of its own, with the memory for them.
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--max-old-space-size=12000",
      PROGRAM,
      String(20_000_000),
    ]);
    expect(JSON.parse(stdout)).toEqual({ numbers: 0, balances: 0 });
  },
  limit(600_000),
);

test("a map is the same in several layers, one after each is full", () => {
  const [one, several] = [new ForkMap<number, number>(), new ForkMap<number, number>([], 10)];
  for (const map of [one, several]) {
    for (let key = 0; key < 100; key++) map.set(key, key);
    for (let key = 0; key < 100; key += 3) map.set(key, -key);
    for (let key = 0; key < 100; key += 7) map.delete(key);
  }
  const sorted = (map: ForkMap<number, number>) =>
    [...map.entries()].sort(([left], [right]) => left - right);
  expect(sorted(several)).toEqual(sorted(one));
  for (let key = 0; key < 101; key++) expect(several.get(key)).toBe(one.get(key));
  expect(sorted(several.fork())).toEqual(sorted(one));
});
