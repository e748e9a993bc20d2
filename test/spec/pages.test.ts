// docs/operations.md has the specification's operations, with their paths, parameters and results.
import { expect, test } from "vitest";
import { fieldDescriptions } from "../../scripts/field-descriptions.ts";
import { modelSchemas } from "../../scripts/json-schema.ts";
import { packageFile } from "../../scripts/package-file.ts";

const page = packageFile("docs/operations.md").read();

test("every field of every record has a sentence, in editors, in docs/operations.md and in openapi.json", () => {
  const silent = Object.entries(modelSchemas()).flatMap(([name, { properties = {} }]) => {
    const descriptions = fieldDescriptions(name);
    return Object.keys(properties)
      .filter((field) => !descriptions[field]?.endsWith("."))
      .map((field) => `${name}.${field}: ${descriptions[field]}`);
  });
  expect(silent).toEqual([]);
  expect(page).toContain(fieldDescriptions("Transaction").tx_status);
});

test("docs/operations.md says which headers a request carries", () => {
  expect(page).toContain("`api-key`");
  expect(page).toContain("`Content-Type: application/json`");
});
