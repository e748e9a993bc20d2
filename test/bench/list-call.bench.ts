// A list call walks through few files and calls: as few as a reader can follow.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the third call of a list", () => {
  const program = fileURLToPath(new URL("steps.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  console.info(stderr + stdout);
  const { files, calls } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect(files).toBeLessThanOrEqual(33);
  expect(calls).toBeLessThanOrEqual(300);
});
