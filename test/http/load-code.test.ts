// A deployment may remove files that a page would load later: the error says so, and the next call tries again.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { type Address, type ExplorerClientOptions, operations } from "../../src/index.ts";
import { ADDRESS, clientOf, success, thrown } from "./server.ts";

const MIXED_CASE = "0x15D34AAf54267dB7D7C367839AaF71a00a2C6c65";
const FILES = ["cache", "checksums", "invalid"].map((name) => `../../src/http/${name}.ts`);

// Fresh modules, because an earlier test has loaded the files.
beforeEach(() => {
  vi.resetModules();
  for (const path of FILES)
    vi.doMock(path, () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
});
const publishFiles = () => {
  for (const path of FILES) vi.doUnmock(path);
};
afterEach(publishFiles);

const clientFor = (total_supply: string, options = {}) =>
  clientOf(
    { url: "https://explorer.example" },
    { fetch: async () => Response.json(success({ data: { total_supply } })), ...options },
  );

test.each<[string, Address, string, ExplorerClientOptions, string]>([
  ["a mixed-case address", MIXED_CASE, "7", {}, "7"],
  ["a cache", ADDRESS, "7", { cache: new Map() }, "7"],
  ["an invalid response", ADDRESS, "x", {}, "Invalid response"],
])("%s needs a file that is missing", async (_, token, supply, options, later) => {
  const client = clientFor(supply, options);
  expect(await thrown(client.tokens.totalSupply(token))).toMatchObject({
    code: "CONNECTION",
    message: expect.stringContaining("Reload the page"),
  });
  publishFiles();
  const result = await client.tokens.totalSupply(token).catch(String);
  expect(String(result)).toContain(later);
});

test("a client that receives valid responses and is used as documented needs none of the files", async () => {
  const client = clientFor("7");
  expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
  const errors = [
    client.tokens.totalSupply("0x" as never),
    client.request("A1", { addresses: [] }),
    client.accounts.transactions(ADDRESS, { limt: 5 } as never),
    client.blocks.get(1, { retry: "often" } as never),
  ].map((call) => thrown(call));
  for (const error of await Promise.all(errors)) expect(error).toMatchObject({ code: "PARAMETER" });
});

test("an invalid parameter is named even if the code that explains it is missing", async () => {
  const input = z.strictObject({ of: z.string().check(z.minLength(3)) });
  const own = { ...operations.T1, places: { path: [], query: ["of"], body: [] }, input };
  const error = await thrown(clientFor("7").request(own, { of: "M" }));
  expect(error).toMatchObject({ code: "PARAMETER", issues: [{ path: ["of"], received: "M" }] });
});
