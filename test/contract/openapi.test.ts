// The OpenAPI document says what the contract says, and the committed one is the latest.
import { describe, expect, test } from "vitest";
import { openapi, openapiText } from "../../scripts/openapi.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { operations } from "../../src/contract/index.ts";

interface Described {
  readonly operationId: string;
  readonly "x-specification-id": string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
}

describe("the OpenAPI document", () => {
  const document = openapi();
  const described = Object.values(
    document.paths as Record<string, Record<string, Described>>,
  ).flatMap((path) => Object.values(path));

  test("is committed as it is generated", () => {
    expect(packageFile("openapi.json").read(), "run: npm run openapi").toBe(openapiText());
  });

  test("has every operation of the contract", () => {
    expect(described.map((one) => one["x-specification-id"]).sort()).toEqual(
      Object.keys(operations).sort(),
    );
  });

  test("refers only to components that are there", () => {
    const text = JSON.stringify(document);
    for (const [, path = ""] of text.matchAll(/"#\/([\w/]+)"/g))
      expect(document).toHaveProperty(path.split("/"));
  });

  test("asks for what the specification requires", () => {
    const required = (id: string) =>
      described
        .find((one) => one["x-specification-id"] === id)
        ?.parameters.filter((one) => one.required)
        .map((one) => one.name);
    expect(required("A2")).toEqual(["address_hash"]);
    expect(required("T3")).toEqual(["contract_hash", "address_hash"]);
    expect(required("L1")).toEqual(["address"]);
    expect(required("B1")).toEqual(["block_number"]);
  });
});
