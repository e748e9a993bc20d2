// How parameters are read from path, query and body, and checked: each at its limits.
import { describe, expect, test } from "vitest";
import { views } from "../../mocks/inspect/views.ts";
import type { ServiceRequest } from "../../mocks/message/message.ts";
import { adminOperations } from "../../mocks/port/admin/operations.ts";
import { readParameters } from "../../mocks/service/parameters.ts";
import { type AnyOperation, operations } from "../../src/contract/index.ts";

const json = { "content-type": "application/json" };

interface Asked {
  readonly values?: readonly string[];
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: ServiceRequest["headers"];
  readonly maxValues?: number;
}

/** What an operation makes of a request: its parameters unchecked, and unknown names. */
function collect(
  operation: AnyOperation,
  { values = [], query = "", body, headers = json, maxValues = 100 }: Asked,
) {
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : text && new TextEncoder().encode(text);
  const target = `/?${query}`;
  const read = readParameters(
    { id: operation.name, operation, values },
    { method: operation.method, target, headers, ...(bytes && { body: bytes }) },
    { unknownParameters: "ignored", maxValues },
  );
  if ("error" in read) throw read.error;
  return read;
}

const { A1 } = operations;

describe("the body", () => {
  const nested = (levels: number, open: string, close: string) =>
    `{"a":${open.repeat(levels - 1)}0${close.repeat(levels - 1)}}`;

  test.each<[number, string, Asked]>([
    [415, "Content-Type: expected application/json, received none", { headers: {}, body: {} }],
    [
      ...([415, 'Content-Type: expected application/json, received "text/plain"'] as const),
      { headers: { "content-type": "text/plain" }, body: {} },
    ],
    [
      ...([415, `Content-Type: expected application/json, received "${"x".repeat(80)}"`] as const),
      { headers: { "content-type": "x".repeat(81) }, body: {} },
    ],
    [415, "Content-Type: ", { headers: { "content-type": "x/application/json" }, body: {} }],
    [415, "Content-Type: ", { headers: { "content-type": "application/jsonx" }, body: {} }],
    [
      ...([415, 'Content-Encoding: expected none, received "gzip"'] as const),
      { headers: { ...json, "content-encoding": "gzip" }, body: {} },
    ],
    [413, "the body is larger than 1572864 bytes", { body: "{}".padEnd(1.5 * 2 ** 20 + 1) }],
    [400, "the body is nested deeper than 64 levels", { body: nested(65, "[", "]") }],
    [400, "body: expected at most 5 values, ", { body: '{"a":[1,2,3,4]}', maxValues: 5 }],
    [400, "the body is not JSON", { body: "{" }],
    [400, "the body is empty", {}],
    [400, "the body is not UTF-8", { body: new Uint8Array([0x22, 0xff, 0x22]) }],
    [400, "body: expected a JSON object, received an array", { body: "[]" }],
    [400, "body: expected a JSON object, received null", { body: "null" }],
    [400, "body: expected a JSON object, received a number", { body: "7" }],
  ])("is refused, %i %s", (status, message, asked) => {
    expect(() => collect(A1, asked)).toThrow(
      expect.objectContaining({ status, message: expect.stringMatching(`^${message}`) }),
    );
  });
});

test("a body whose encoding is identity is read, and its type in any case", () => {
  const addresses = [`0x${"ab".repeat(20)}`];
  const headers = {
    "content-type": "Application/JSON;charset=utf-8",
    "content-encoding": "identity",
  };
  expect(collect(A1, { headers, body: { addresses } }).raw).toEqual({ addresses });
});

test("unknown names are noted up to the first 20", () => {
  const names = Array.from({ length: 1500 }, (_, index) => `limi${index}`);
  const body = Object.fromEntries(names.map((name) => [name, 0]));
  const address = `0x${"ab".repeat(20)}`;
  expect(collect(operations.A2, { values: [address], query: names.join("&") }).unknown).toEqual(
    names.slice(0, 20),
  );
  const balances = { ...body, addresses: [address] };
  expect(collect(A1, { body: balances, maxValues: 2000 }).unknown).toEqual(names.slice(0, 20));
});

describe("checked parameters", () => {
  /** Checks parameters as if all were in the body, whose values may be of any type. */
  const check = (operation: AnyOperation, parameters: object) => {
    const places = { path: [], query: [], body: Object.keys(operation.input.shape) };
    const inBody = { ...operation, places, wholeBody: undefined };
    collect(inBody, { body: parameters, maxValues: 10_000 });
  };

  test("say what was expected, whatever schema a parameter has", () => {
    const wrong = [0, -1, 1.5, "", "?", "0", true, null, [], [0], {}, { "?": 0 }];
    const messages: string[] = [];
    for (const operation of [operations, views, adminOperations].flatMap(Object.values))
      for (const name of Object.keys(operation.input.shape))
        for (const value of wrong)
          try {
            check(operation, { [name]: value });
          } catch (error) {
            messages.push(...String(error).split("; "));
          }
    expect(messages).toContainEqual(expect.stringMatching(/drop: expected all or an array/));
    expect(messages.filter((message) => /something else|undefined,/.test(message))).toEqual([]);
  });

  test("are explained up to the first 20", () => {
    const libraries = Array.from({ length: 450 }, () => ({ name: 1, address: "x" }));
    const refused = expect(() => check(operations.C3, { libraries }));
    refused.toThrow(/^([^;]*; ){20}and \d+ more$/);
  });
});
