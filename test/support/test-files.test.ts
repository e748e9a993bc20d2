// Which test files a command runs: what `npm test` has not proven, `npm run test:rest` runs, but for what takes a night.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  drawsAtRandom,
  every,
  filesOf,
  leftOut,
  nightly,
  provenBy,
  type RunModule,
} from "./test-files.ts";

const all = filesOf(every, leftOut("all"));
const byDefault = filesOf(every, leftOut("test"));
const rest = (proven: readonly string[]) => filesOf(every, leftOut("rest", proven));

describe("what is left after `npm test`", () => {
  const nights = nightly.flatMap((pattern) => filesOf(pattern));

  test("is with it and what the night runs everything, whatever it has proven", () => {
    for (const proven of [byDefault, byDefault.slice(0, 50), []]) {
      const together = [...proven, ...rest(proven), ...nights];
      expect([...new Set(together)].sort()).toEqual([...all].sort());
    }
  });

  test("is what takes long but not half a night, and nothing twice", () => {
    expect(rest(byDefault).filter((file) => byDefault.includes(file))).toEqual([]);
    expect(rest(byDefault).length).toBeGreaterThan(20);
    expect(byDefault.filter((file) => nights.includes(file))).toEqual([]);
    expect(nightly.filter((pattern) => filesOf(pattern).length === 0)).toEqual([]);
  });
});

test("a file draws at random by itself, or by a module that it imports", () => {
  for (const file of all) {
    const text = readFileSync(file, "utf8");
    if (/"(fast-check|.*\/support\/runs\.ts)"/.test(text))
      expect([file, drawsAtRandom(file)]).toEqual([file, true]);
  }
  // Only by the servers that it shares.
  expect(drawsAtRandom("test/laws/lists/habits.test.ts")).toBe(true);
  expect(drawsAtRandom("test/settings.test.ts")).toBe(false);
});

const ran = (relativeModuleId: string, states: readonly string[], isOk = true): RunModule => ({
  relativeModuleId,
  ok: () => isOk,
  children: { allTests: () => states.map((state) => ({ result: () => ({ state }) })) },
});

test("a file is proven by tests that all ran and passed", () => {
  const modules = [
    ran("whole", ["passed", "passed"]),
    ran("skips", ["passed", "skipped"]),
    ran("never reached", ["passed", "pending"]),
    ran("fails", ["passed", "failed"], false),
    ran("a hook fails", ["passed"], false),
    ran("has no test", []),
  ];
  expect(provenBy(modules)).toEqual(["whole"]);
});
