// Which test files a command runs: what `npm test` has not proven, `npm run test:rest` runs, but for what takes a night.
import { expect, test } from "vitest";
import { every, filesOf, leftOut, nightly, provenBy, type RunModule } from "./test-files.ts";

test("what the night alone runs is there, and not in `npm test`", () => {
  const byDefault = filesOf(every, leftOut("test"));
  for (const pattern of nightly) {
    const files = filesOf(pattern);
    expect([pattern, files.length > 0]).toEqual([pattern, true]);
    expect(files.filter((file) => byDefault.includes(file))).toEqual([]);
  }
  expect(filesOf(every, leftOut("rest", byDefault)).length).toBeGreaterThan(20);
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
