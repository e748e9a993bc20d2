// What importing the built client costs in a fresh process, beside ky and zod/mini alone: run `npm run build` before.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { median } from "./median.ts";

const client = new URL("../../dist/index.js", import.meta.url);

/** Milliseconds one process spends on importing. */
function importing(modules: readonly string[]): number {
  const imports = modules.map((module) => `import(${JSON.stringify(module)})`).join(", ");
  const program = `const began = performance.now(); await Promise.all([${imports}]); console.log(performance.now() - began);`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(child.stderr).toBe("");
  return Number(child.stdout);
}

test.skipIf(!existsSync(client))("a cold import of the client", () => {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 15; turn++) {
    theirs.push(importing(["ky", "zod/mini"]));
    ours.push(importing([client.href]));
  }
  const ratio = median(ours) / median(theirs);
  console.info(
    `cold import: client ${median(ours).toFixed(1)} ms, ky and zod/mini ${median(theirs).toFixed(1)} ms, ${ratio.toFixed(2)} times`,
  );
  expect(ratio).toBeLessThan(2);
});
