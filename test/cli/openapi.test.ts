// The OpenAPI document on the command line: the package's own, and in a dialect with its paths, parameters, words and key.
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { openapiIn } from "../../src/cli/openapi.ts";
import { operations } from "../../src/contract/index.ts";
import { serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

test("the document is the package's", async () => {
  const { out, code } = await demo.cli("openapi");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(JSON.parse(packageFile("openapi.json").read()));
});

test("the document in a dialect is what its explorer serves", async () => {
  const { out } = await demo.cli("openapi --dialect wemix");
  const { info, paths, security } = JSON.parse(out);
  expect(JSON.parse(out)).toEqual(openapiIn("wemix"));
  expect(info.title).toMatch(/ \(wemix\)$/);
  expect(security).toContainEqual({});
  expect(Object.keys(paths)).toHaveLength(Object.keys(operations).length);
  const inventory = paths["/v1/tokens/{contract_hash}/inventory/{address_hash}"].get;
  expect(inventory.parameters).toMatchObject([
    { name: "contract_hash", in: "path" },
    { name: "address_hash", in: "path", required: true },
  ]);
  const transfers = paths["/v1/accounts/{address_hash}/token-transfer/erc20"].get;
  expect(transfers.parameters.map(({ name }: { name: string }) => name)).toEqual([
    ...["address_hash", "limit", "offset", "start_block", "end_block"],
  ]);
  const type = paths["/v1/event-logs"].get.parameters.find(
    ({ name }: { name: string }) => name === "type",
  );
  expect(type.schema).toMatchObject({ enum: ["single", "combine"], default: "combine" });
});
