// How much longer a page takes when every field of it is checked and decoded, than JSON.parse alone.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decodePage, type measure, pageText } from "./decoding.ts";

const text = await pageText();

test("a page of 1000 full transactions", async ({ bench }) => {
  await bench.compare(
    bench("JSON.parse", () => void JSON.parse(text)),
    bench("parsed, checked and decoded", () => void decodePage(text)),
    { time: 500 },
  );
});

test.each([
  ["as it is", []],
  ["where eval is forbidden", ["--disallow-code-generation-from-strings"]],
])("the ratio, %s", (name, flags) => {
  const script = fileURLToPath(new URL("decoding.ts", import.meta.url));
  const child = spawnSync(process.execPath, [...flags, script], { encoding: "utf8" });
  expect(child.stderr).toBe("");
  const { parse, decode }: ReturnType<typeof measure> = JSON.parse(child.stdout);
  console.info(
    `${name}: JSON.parse ${parse.toFixed(2)} ms, decoded ${decode.toFixed(2)} ms of processor time, ${(decode / parse).toFixed(2)} times; ${Math.round(text.length / 1024)} kB`,
  );
  expect(decode / parse).toBeLessThan(3);
});
