// How parameters are read from path, query and body, and checked: each at its limits.
import { describe, expect, test } from "vitest";
import type { ServiceRequest } from "../../../mocks/double/service/message.ts";
import { checkedParameters, collectParameters } from "../../../mocks/double/service/parameters.ts";
import { views } from "../../../mocks/workbench/page/inspect/views.ts";
import { adminOperations } from "../../../mocks/workbench/port/admin/operations.ts";
import { type AnyOperation, operations } from "../../../src/contract/index.ts";

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
  const names = operation.path.split("/").flatMap((part) => /^\{(.*)\}$/.exec(part)?.[1] ?? []);
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : text && new TextEncoder().encode(text);
  const raw: Record<string, unknown> = {};
  const unknown = collectParameters(
    { route: { id: operation.name, operation, names }, values },
    query,
    { method: operation.method, target: "/", headers, ...(bytes && { body: bytes }) },
    raw,
    { unknownParameters: "ignored", maxValues },
  );
  return { raw, unknown };
}

const { A1, A2 } = operations;

describe("the query", () => {
  test.each<[string, object, readonly string[]]>([
    ["limit=5&offset=7", { limit: "5", offset: "7" }, []],
    ["", {}, []],
    ["&&limit=5&", { limit: "5" }, []],
    ["limit", { limit: "" }, []],
    ["limit=", { limit: "" }, []],
    ["limit=a=b", { limit: "a=b" }, []],
    ["condition=a+b%20c", { condition: "a b c" }, []],
    ["%6cimit=%35", { limit: "5" }, []],
    ["limit=%E0%A4", { limit: "%E0%A4" }, []],
    ["limit=5&limit=6", { limit: ["5", "6"] }, []],
    ["limit=5&limit=6&limit=7", { limit: ["5", "6", "7"] }, []],
    ["limt=5&of+set", {}, ["limt", "of set"]],
    ["=5", {}, [""]],
    ["address_hash=5", {}, ["address_hash"]],
    ["__proto__=5", {}, ["__proto__"]],
  ])("%j is read as %j, and %j is unknown", (query, expected, unknown) => {
    const { raw, unknown: found } = collect(A2, { values: ["0x1"], query });
    expect([raw, found]).toEqual([{ address_hash: "0x1", ...expected }, unknown]);
  });

  test("has 20 unknown names at most", () => {
    const query = Array.from({ length: 30 }, (_, at) => `x${at}=`).join("&");
    const { unknown } = collect(A2, { values: ["0x1"], query });
    expect(unknown).toEqual(Array.from({ length: 20 }, (_, at) => `x${at}`));
  });
});

describe("the body", () => {
  test("may be missing where all of its parameters may, or is one parameter as a whole", () => {
    const { mine, addFaults } = adminOperations;
    for (const body of [undefined, ""])
      expect(collect(mine, { headers: {}, body }).raw).toEqual({});
    expect(collect(mine, { body: { blocks: 3, more: 1 } })).toEqual({
      ...{ raw: { blocks: 3 }, unknown: ["more"] },
    });
    expect(() => collect(mine, { body: "{" })).toThrow("body: expected JSON");
    const faults = { fault: "reset", other: 1 };
    expect(collect(addFaults, { body: faults })).toEqual({ raw: { faults }, unknown: [] });
    expect(collect(addFaults, { body: "[1]" }).raw).toEqual({ faults: [1] });
    expect(() => collect(addFaults, { headers: {} })).toThrow("Content-Type: ");
  });

  const nested = (levels: number, open: string, close: string) =>
    `{"a":${open.repeat(levels - 1)}0${close.repeat(levels - 1)}}`;

  test.each<[string, Asked]>([
    ["application/json", { headers: json, body: {} }],
    ["Application/JSON ; x", { headers: { "content-type": "Application/JSON ; x" }, body: {} }],
    ["64 levels of lists", { body: nested(64, "[", "]") }],
    ["64 levels of objects", { body: nested(64, '{"a":', "}") }],
    ["levels beside one another", { body: `{"a":[${"[{}],".repeat(70)}[]]}`, maxValues: 1000 }],
    ["5 values", { body: '{"a":[1,2,3]}', maxValues: 5 }],
    ["commas and brackets in texts", { body: '{"a":"[,[,[,[,[,"}', maxValues: 2 }],
    ["quotes in texts", { body: String.raw`{"a":"\",,,,\\"}`, maxValues: 2 }],
    ["1.5 MiB", { body: `{"a":0}`.padEnd(1.5 * 2 ** 20) }],
  ])("may have %s", (_, asked) => {
    expect(collect(A1, asked)).toStrictEqual({ raw: {}, unknown: expect.any(Array) });
  });

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
    [413, "the body is larger than 1572864 bytes", { body: "{}".padEnd(1.5 * 2 ** 20 + 1) }],
    [400, "body: expected at most 64 levels, received more", { body: nested(65, "[", "]") }],
    [400, "body: expected at most 64 levels", { body: nested(65, '{"a":', "}") }],
    [400, "body: expected at most 4 values, ", { body: '{"a":[1,2,3,4]}', maxValues: 4 }],
    [
      400,
      "body: expected at most 1 values",
      { body: String.raw`{"a\\":",", "b":1}`, maxValues: 1 },
    ],
    [400, "body: expected JSON$", { body: "{" }],
    [400, "body: expected JSON, received nothing", {}],
    [400, "body: expected JSON", { body: new Uint8Array([0x22, 0xff, 0x22]) }],
    [400, "body: expected a JSON object, received an array", { body: "[]" }],
    [400, "body: expected a JSON object, received null", { body: "null" }],
    [400, "body: expected a JSON object, received a number", { body: "7" }],
  ])("is refused, %i %s", (status, message, asked) => {
    expect(() => collect(A1, asked)).toThrow(
      expect.objectContaining({ status, message: expect.stringMatching(`^${message}`) }),
    );
  });
});

describe("checked parameters", () => {
  const check = (
    operation: AnyOperation,
    raw: Readonly<Record<string, unknown>>,
    unknown: readonly string[] = [],
    unknownParameters: "ignored" | "refused" = "ignored",
  ) => checkedParameters(operation, raw, unknown, { unknownParameters, maxValues: 100 });

  test("say what was expected, whatever schema a parameter has", () => {
    const wrong = [0, -1, 1.5, "", "?", "0", true, null, [], [0], {}, { "?": 0 }, 2n ** 300n];
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
});
