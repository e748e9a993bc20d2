// The copy of the specification's fields is the original, wherever that is on the machine.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const original = fileURLToPath(new URL("../../../shared/spec/fields.json", import.meta.url));

test.skipIf(!existsSync(original))("fields.json is the specification's, byte for byte", () => {
  const copy = new URL("fields.json", import.meta.url);
  expect(readFileSync(copy, "utf8")).toBe(readFileSync(original, "utf8"));
});
