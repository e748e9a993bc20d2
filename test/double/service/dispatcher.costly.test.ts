// A request that is made to cost much is refused or answered in few words.
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import type { ServiceRequest } from "../../../mocks/double/service/message.ts";

const headers = { "api-key": "k", "content-type": "application/json" };
const address = `0x${"ab".repeat(20)}`;

const names = (count: number, form: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => form(`limi${index}`));

const post = (path: string, body: string): ServiceRequest => ({
  method: "POST",
  target: `/v1/${path}`,
  headers,
  body: new TextEncoder().encode(body),
});

const balances = (body: unknown) =>
  post("accounts/balance", typeof body === "string" ? body : JSON.stringify(body));

const query = (given: readonly string[]): ServiceRequest => ({
  method: "GET",
  target: `/v1/accounts/${address}/transactions?${given.join("&")}`,
  headers,
});

/** Near to the parameters, so that each is compared with all of them. */
const ignoredNames: Readonly<Record<string, ServiceRequest>> = {
  short: query(names(1500, (name) => `${name}=`)),
  encoded: query(names(700, (name) => `%73${name}=%20`)),
  long: query(names(240, (name) => name.padEnd(20, "x"))),
};

/** Bodies of 1 MiB, and what the refusal names. */
const largeBodies: Readonly<Record<string, readonly [ServiceRequest, string]>> = {
  "90,000 keys": [
    balances(Object.fromEntries(names(90_000, (name) => name.slice(3)).map((name) => [name, 0]))),
    "values",
  ],
  "a million levels": [balances(`${"[".repeat(2 ** 19)}${"]".repeat(2 ** 19)}`), "levels"],
  "half a million empty lists": [balances(`{"addresses":[${"[],".repeat(340_000)}[]]}`), "values"],
  "1,900 invalid addresses": [
    balances({ addresses: names(1900, (name) => name.padEnd(500, "x")) }),
    "addresses",
  ],
};

/** A submission with thousands of wrong fields. */
const wrongFields = post(
  `contracts/${address}/verify`,
  JSON.stringify({ libraries: Array.from({ length: 450 }, () => ({ name: 1, address: "x" })) }),
);

const { dispatch, journal } = createExplorer();

test.each(Object.entries(ignoredNames))(
  "query names that are ignored: %s ones",
  async (_, request) => {
    const { status } = await dispatch(request);
    expect(status).toBe(200);
    expect(journal.entries.at(-1)?.notes.length).toBeLessThanOrEqual(20);
  },
);

test.each(Object.entries(largeBodies))(
  "a body of 1 MiB with %s is refused",
  async (_, [request, reason]) => {
    const { status, message } = await dispatch(request);
    expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
    expect(message?.length).toBeLessThan(5000);
  },
);

test("thousands of wrong fields are explained up to the first 20", async () => {
  const { status, message } = await dispatch(wrongFields);
  expect(status).toBe(400);
  expect(message).toMatch(/; and \d+ more$/);
  expect(message?.length).toBeLessThan(5000);
});
