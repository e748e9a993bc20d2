// The OpenAPI document says what the contract says, and the committed one is the latest.
import { describe, expect, test } from "vitest";
import { adminOperations } from "../../mocks/port/admin/operations.ts";
import { adminOpenapi, openapi, openapiTexts } from "../../scripts/openapi.ts";
import { packageFile } from "../../scripts/package-file.ts";

describe("the OpenAPI document", () => {
  const document = openapi();

  test.each(Object.entries(openapiTexts()))("%s is committed as it is generated", (path, text) => {
    expect(packageFile(path).read(), "run: npm run ci:openapi").toBe(text);
  });

  test("of the admin API has its operations, their bodies and what they answer", () => {
    const { paths } = adminOpenapi();
    expect(Object.keys(paths as object)).toEqual([
      ...new Set(Object.values(adminOperations).map(({ path }) => path)),
    ]);
    const body = "requestBody.content.application/json.schema".split(".");
    expect(paths).toHaveProperty(["/admin/mine", "post", ...body, "properties", "miner"]);
    expect(paths).toHaveProperty(["/admin/faults", "post", ...body, "$ref"]);
    const answer = "responses.200.content.application/json.schema.properties".split(".");
    expect(paths).toHaveProperty(["/admin/journal", "get", ...answer, "entries"]);
  });

  test("refers only to components that are there", () => {
    for (const openapiDocument of [document, adminOpenapi()])
      for (const [, path = ""] of JSON.stringify(openapiDocument).matchAll(/"#\/([\w/]+)"/g))
        expect(openapiDocument).toHaveProperty(path.split("/"));
  });
});
