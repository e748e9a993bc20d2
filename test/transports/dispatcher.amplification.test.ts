// A small request costs little time, however it is made.
import { expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import type { ServiceRequest, ServiceResponse } from "../../mocks/message.ts";

const { dispatch, journal } = createExplorer();
const headers = { "api-key": "k", "content-type": "application/json" };
const address = `0x${"ab".repeat(20)}`;

/** The most milliseconds of the processor: ten times what these requests take, and far less than one that costs too much. */
const limit = 200;

/** The response, and the median of the processor's milliseconds. */
async function cost(request: ServiceRequest): Promise<ServiceResponse & { readonly ms: number }> {
  const times: number[] = [];
  let response: ServiceResponse | undefined;
  for (let turn = 0; turn < 15; turn++) {
    const before = process.cpuUsage();
    response = await dispatch(request);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  if (response === undefined) throw new Error("no response");
  return { ...response, ms: times.sort((one, other) => one - other)[7] ?? 0 };
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
  const { status, ms } = await cost({ method: "GET", target, headers });
  expect(status).toBe(200);
  expect(ms).toBeLessThan(limit);
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
  const { status, message, ms } = await cost(post("accounts/balance", body));
  expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
  expect(message?.length).toBeLessThan(5000);
  expect(ms).toBeLessThan(limit);
});

test("thousands of wrong fields are explained up to the first 20", async () => {
  const libraries = Array.from({ length: 450 }, () => ({ name: 1, address: "x" }));
  const { status, message, ms } = await cost(
    post(`contracts/${address}/verify`, JSON.stringify({ libraries })),
  );
  expect(status).toBe(400);
  expect(message).toMatch(/; and \d+ more$/);
  expect(message?.length).toBeLessThan(5000);
  expect(ms).toBeLessThan(limit);
});
