// The tour of `npm start`: all results are correct, and the exit code is 1 if one is not.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { check, conclusion } from "../../examples/tour/print.ts";
import { operations } from "../../src/contract/index.ts";
import { temporaryFolder } from "../support/project.ts";

test("calls every operation, finds every result correct and exits with 0", () => {
  const cwd = temporaryFolder("tour", onTestFinished);
  const start = fileURLToPath(new URL("../../examples/start.ts", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [start], { cwd, encoding: "utf8" });
  for (const { id, resource, action } of Object.values(operations))
    expect(stdout).toContain(`${id.padEnd(4)}${resource}.${action}`);
  expect(stdout).toContain("all are correct");
  // No terminal breaks its words.
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(status).toBe(0);
});

test("exits with 1 if a result is wrong", () => {
  check("the same", 5n, 5n);
  expect(conclusion(1, 0)).toBe(0);
  check("not the same", 5n, 6n);
  expect(conclusion(1, 0)).toBe(1);
});
