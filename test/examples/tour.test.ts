// The tour of `npm start`: all answers right, and an exit code that tells when one is not.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { check, conclusion } from "../../examples/tour/print.ts";
import { operations } from "../../src/contract/index.ts";

test("visits every operation, finds every answer right and ends with 0", () => {
  const start = fileURLToPath(new URL("../../examples/start.ts", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [start], { encoding: "utf8" });
  for (const { id, resource, action } of Object.values(operations))
    expect(stdout).toContain(`${id.padEnd(4)}${resource}.${action}`);
  expect(stdout).toContain("all answers are right");
  expect(status).toBe(0);
});

test("ends with 1 if an answer is wrong", () => {
  check("the same", 5n, 5n);
  expect(conclusion(1, 0)).toBe(0);
  check("not the same", 5n, 6n);
  expect(conclusion(1, 0)).toBe(1);
});
