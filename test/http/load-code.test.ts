// A deployment may remove files that a page would load later: the error says so, and the next call tries again.
import { expect, test, vi } from "vitest";
import { ADDRESS, clientOf, json, serve, supply, thrown } from "./server.ts";

/** Files that a call loads, each with a call that needs it. */
test.each([
  ["checksums", {}],
  ["cache", { cache: new Map() }],
] as const)("a missing file of %s", async (name, options) => {
  const path = `../../src/http/${name}.ts`;
  vi.doMock(path, () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const client = clientOf(await serve((_, response) => json(response, supply("7"))), options);
  const mixed = "0x15D34AAf54267dB7D7C367839AaF71a00a2C6c65";
  const error = await thrown(client.tokens.totalSupply(mixed));
  expect(error).toMatchObject({
    code: "CONNECTION",
    message: expect.stringContaining("Reload the page"),
  });
  vi.doUnmock(path);
  expect(await client.tokens.totalSupply(mixed)).toBe(7n);
  expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
});
