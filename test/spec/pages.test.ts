// docs/operations.md against the specification's operations: paths, parameters and where they travel, results.
import { describe, expect, test } from "vitest";
import { fieldDescriptions } from "../../scripts/field-descriptions.ts";
import { modelSchemas } from "../../scripts/json-schema.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { enumerations, limits, modelOf, nameOf, specified } from "./fields.ts";
import { additions, modelNames } from "./models.ts";

const page = packageFile("docs/operations.md").read();

/** The text under the heading of an operation or of a record, and the cells of its table of parameters. */
function sectionOf(id: string): { readonly text: string; readonly rows: readonly string[][] } {
  const [, text = ""] = page.split(`\n### ${id}\n`);
  const [section = ""] = text.split("\n#");
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$|`/g, "")));
  return { text: section, rows };
}

test("docs/operations.md has the specification's operations, and no others", () => {
  const [...headings] = page.matchAll(/^### (\w+)$/gm);
  expect(headings.map(([, id]) => id).sort()).toEqual(specified.map(({ id }) => id).sort());
});

test.each(Object.entries(modelNames))(
  "docs/operations.md has the fields of %s in order",
  (title, name) => {
    const names = sectionOf(`\`${name}\``).rows.map(([field]) => field);
    const specified = modelOf(title).map(({ name }) => name);
    expect(names).toEqual([...specified, ...(additions[title] ?? [])]);
  },
);

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

describe.each(specified.map((one) => [one.id, one] as const))(
  "docs/operations.md on %s",
  (id, one) => {
    const { text, rows } = sectionOf(id);

    test("has its method and path", () => {
      expect(text).toContain(`\`${one.method} ${one.path}\``);
    });

    test("has its parameters in order, where they travel, and which of them are required", () => {
      const rowsOf = (place: string, names: readonly string[]) =>
        names.map((name) => [nameOf(name), place, place === "path" || name.endsWith("!")]);
      expect(rows.map(([name, place, required]) => [name, place, required === "yes"])).toEqual([
        ...rowsOf("path", one.pathParameters),
        ...rowsOf("query", one.query),
        ...rowsOf("body", one.body),
      ]);
    });

    test("has the specification's defaults and limits", () => {
      const cells = (name: string) => rows.find(([of]) => of === name);
      if (cells("limit")) {
        const { default: usual, max } = limits.limit;
        expect(cells("limit")?.slice(2, 4)).toEqual([
          `no, ${usual}`,
          `an integer from 1 to ${max}`,
        ]);
        expect(cells("offset")?.[2]).toBe(`no, ${limits.offset.default}`);
      }
      for (const flag of ["input", "simple"])
        if (cells(flag)) expect(cells(flag)?.[2]).toBe("no, false");
      for (const [name, words] of Object.entries(enumerations))
        if (cells(name)) expect(cells(name)?.[3]).toBe(`one of ${words.join(", ")}`);
      if (cells("addresses")) expect(cells("addresses")?.[3]).toContain("1 to 20");
    });

    test("says whether the answer has an envelope", () => {
      const bare = one.results.startsWith("without envelope");
      expect(text.includes("without envelope")).toBe(bare);
      expect(text.includes("Results: ")).toBe(!bare);
    });
  },
);
