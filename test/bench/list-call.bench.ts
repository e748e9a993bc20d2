// A list call and a followed block walk through few files: as few as a reader can follow.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the third call of a list, and the third block of a node", () => {
  const program = fileURLToPath(new URL("steps.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  console.info(stderr + stdout);
  const { listCall, followedBlock } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect(listCall.files).toBeLessThanOrEqual(28);
  expect(listCall.calls).toBeLessThanOrEqual(232);
  // That block of the demo chain creates a contract, whose code and kind are asked for.
  expect(followedBlock.files).toBeLessThanOrEqual(32);
});
