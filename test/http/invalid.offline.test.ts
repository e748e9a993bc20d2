// Where the code that explains invalid values cannot be loaded, the error still names the field, and says why there is no more.
import { afterAll, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { operations, ResponseValidationError } from "../../src/index.ts";
import { ADDRESS, clientOf, SENTINEL, success, thrown } from "./server.ts";

// With modules of its own, since others share theirs, and one of these is another.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("../../src/http/invalid.ts");
  vi.resetModules();
});
vi.mock("../../src/http/invalid.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

const clientFor = (results: unknown, options = {}) =>
  clientOf(
    { url: "https://explorer.example" },
    { fetch: async () => Response.json(success(results)), ...options },
  );

test.each(["strict", "lenient"] as const)(
  "an invalid response names its field, with the cause (%s)",
  async (validation) => {
    const results = { data: { balance: `1.5 ${SENTINEL}` } };
    const error = await thrown(clientFor(results, { validation }).tokens.balance(ADDRESS, ADDRESS));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({
      shortMessage:
        'Invalid response: data.balance: expected a non-negative integer in decimal digits, received "1.5 [api-key]"',
      operation: "T2",
      attempts: 1,
      httpStatus: 200,
    });
    const { cause, message } = error as Error;
    // Vitest wraps what the module throws.
    expect(String((cause as Error).cause)).toContain("Failed to fetch dynamically");
    expect(message).not.toContain(SENTINEL);
  },
);

test("invalid parameters are told as ever", async () => {
  const error = await thrown(clientFor({}).request("A1", { addresses: ["0x1" as never] }));
  expect((error as Error).message).toContain(
    'addresses.0: expected an address (0x and 40 hexadecimal digits), received "0x1"',
  );
});

test("those of an operation of the caller's own are named, though not what zod expects", async () => {
  const input = z.strictObject({ of: z.string().check(z.minLength(3)) });
  const own = { ...operations.T1, places: { path: [], query: ["of"], body: [] }, input };
  const error = await thrown(clientFor({}).request(own, { of: "M" }));
  expect(error).toMatchObject({ code: "PARAMETER", issues: [{ path: ["of"], received: "M" }] });
});
