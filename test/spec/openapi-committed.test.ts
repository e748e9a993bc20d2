// The OpenAPI document says what the contract says, and the committed one is the latest.
import { describe, expect, test } from "vitest";
import { createExplorer, loadDemo } from "../../mocks/node.ts";
import { adminOperations } from "../../mocks/port/admin/operations.ts";
import { adminOpenapi, openapi, openapiTexts } from "../../scripts/openapi.ts";
import { packageFile } from "../../scripts/package-file.ts";

const ADDRESS = `0x${"5f".repeat(20)}`;

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

  test.each<[method: string, target: string, headers: Record<string, string>, body?: string]>([
    ["GET", `/v1/accounts/${ADDRESS}/transactions?limit=5000`, { "api-key": "any" }],
    ["GET", "/v1/blocks/1", {}],
    ["GET", "/v1/blocks/999", { "api-key": "any" }],
    ["DELETE", "/v1/blocks/1", { "api-key": "any" }],
    ["POST", "/v1/accounts/balance", { "api-key": "any", "content-type": "text/plain" }, "x"],
  ])("has the error of %s %s as an example", async (method, target, headers, body) => {
    const mock = createExplorer({ chain: await loadDemo() });
    const init = { method, headers, ...(body && { body }) };
    const response = await mock.fetch(`${mock.baseUrl}${target}`, init);
    const path = ["responses", `Error${response.status}`, "content", "application/json", "example"];
    expect(document.components).toHaveProperty(path, await response.json());
  });

  test("refers only to components that are there", () => {
    for (const openapiDocument of [document, adminOpenapi()])
      for (const [, path = ""] of JSON.stringify(openapiDocument).matchAll(/"#\/([\w/]+)"/g))
        expect(openapiDocument).toHaveProperty(path.split("/"));
  });
});
