// Requests that are made to cost much: with many names, values, levels or wrong fields, as large as the service accepts them.
import type { ServiceRequest } from "../../mocks/double/service/message.ts";

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

/** An ordinary request, to compare with. */
export const ordinary = query(["limit=1"]);

/** Near to the parameters, so that each is compared with all of them. */
export const ignoredNames: Readonly<Record<string, ServiceRequest>> = {
  short: query(names(1500, (name) => `${name}=`)),
  encoded: query(names(700, (name) => `%73${name}=%20`)),
  long: query(names(240, (name) => name.padEnd(20, "x"))),
};

/** Bodies of 1 MiB, and what the refusal names. */
export const largeBodies: Readonly<Record<string, readonly [ServiceRequest, string]>> = {
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
export const wrongFields = post(
  `contracts/${address}/verify`,
  JSON.stringify({ libraries: Array.from({ length: 450 }, () => ({ name: 1, address: "x" })) }),
);
