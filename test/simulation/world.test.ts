// A simulated world is ruled by its seed alone.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Chance, VirtualTime } from "./virtual-time.ts";
import { simulate } from "./world.ts";

test("a world is the same again, byte for byte", async () => {
  const [one, other] = [await simulate(1, 1), await simulate(1, 1)];
  expect(one.problems).toEqual([]);
  expect(one.log.length).toBeGreaterThan(50);
  expect(other.log).toEqual(one.log);
});

test("a timer that no world can rule is refused, and the clocks are given back", () => {
  const real = [setTimeout, Date.now, performance.now, Math.random, AbortSignal.timeout];
  const time = new VirtualTime(new Chance(1));
  expect(() => AbortSignal.timeout(1)).toThrow("use setTimeout");
  expect(() => setInterval(() => {}, 1)).toThrow("use setTimeout");
  time.end();
  expect([setTimeout, Date.now, performance.now, Math.random, AbortSignal.timeout]).toEqual(real);
});

/** Where sockets, processes and browsers are, whose time is real. */
const REAL = /^(src\/cli|mocks\/(workbench\/(page|port)|double\/msw))\//;

test("client and service know no clock but the one that a world rules", () => {
  const beside =
    /AbortSignal\.timeout|new Date\(\)|setInterval|(Date|performance)\.now\.bind|node:timers|hrtime/;
  const files = globSync("{src,mocks}/**/*.ts").filter((file) => !REAL.test(file));
  const found = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => beside.test(line) && !/^\s*\*/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
