// A small request costs little time, however it is made.
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import type { ServiceRequest } from "../../../mocks/double/service/message.ts";
import { timesAs } from "../../support/growth.ts";

const { dispatch, journal } = createExplorer();
const headers = { "api-key": "k", "content-type": "application/json" };
const address = `0x${"ab".repeat(20)}`;

/** An ordinary request, a hundred times. */
async function hundred(): Promise<void> {
  const target = `/v1/accounts/${address}/transactions?limit=1`;
  for (let turn = 0; turn < 100; turn++) await dispatch({ method: "GET", target, headers });
}

/** The most of it that a request costs: eight times what these cost, and far less than one that costs too much. */
const limit = 40;

/** The response, and its cost in hundreds of ordinary requests. */
async function cost(request: ServiceRequest) {
  const hundreds = await timesAs(() => dispatch(request), hundred);
  return { ...(await dispatch(request)), hundreds };
}

const names = (count: number, form: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => form(`limi${index}`));

// Near to the parameters, so that each is compared with all of them.
test.each([
  ["short", names(1500, (name) => `${name}=`)],
  ["encoded", names(700, (name) => `%73${name}=%20`)],
  ["long", names(240, (name) => name.padEnd(20, "x"))],
])("query names that are ignored: %s ones", async (_, query) => {
  const target = `/v1/accounts/${address}/transactions?${query.join("&")}`;
  const { status, hundreds } = await cost({ method: "GET", target, headers });
  expect(status).toBe(200);
  expect(hundreds).toBeLessThan(limit);
  expect(journal.entries.at(-1)?.notes.length).toBeLessThanOrEqual(20);
});

const post = (path: string, body: string): ServiceRequest => ({
  method: "POST",
  target: `/v1/${path}`,
  headers,
  body: new TextEncoder().encode(body),
});

test.each([
  [
    "90,000 keys",
    JSON.stringify(
      Object.fromEntries(names(90_000, (name) => name.slice(3)).map((name) => [name, 0])),
    ),
    "values",
  ],
  ["a million levels", `${"[".repeat(2 ** 19)}${"]".repeat(2 ** 19)}`, "levels"],
  ["half a million empty lists", `{"addresses":[${"[],".repeat(340_000)}[]]}`, "values"],
  [
    "1,900 invalid addresses",
    JSON.stringify({ addresses: names(1900, (name) => name.padEnd(500, "x")) }),
    "addresses",
  ],
])("a body of 1 MiB with %s is refused at once", async (_, body, reason) => {
  const { status, message, hundreds } = await cost(post("accounts/balance", body));
  expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
  expect(message?.length).toBeLessThan(5000);
  expect(hundreds).toBeLessThan(limit);
});

test("thousands of wrong fields are explained up to the first 20", async () => {
  const libraries = Array.from({ length: 450 }, () => ({ name: 1, address: "x" }));
  const { status, message, hundreds } = await cost(
    post(`contracts/${address}/verify`, JSON.stringify({ libraries })),
  );
  expect(status).toBe(400);
  expect(message).toMatch(/; and \d+ more$/);
  expect(message?.length).toBeLessThan(5000);
  expect(hundreds).toBeLessThan(limit);
});
