// Which responses violate the contract, by content type, envelope, status and results.
import { expect, test } from "vitest";
import { ConformanceError, responseViolation } from "../../src/contract/conformance.ts";
import type { OperationId } from "../../src/contract/index.ts";

interface Given {
  readonly operation?: OperationId;
  readonly query?: string;
  readonly status?: number;
  readonly type?: unknown;
  readonly body?: unknown;
}

function violation({ operation = "A2", query = "", status = 200, type, body }: Given) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const contentType = type ?? "application/json";
  return responseViolation(operation, `/x${query}`, { status, contentType, text });
}

const success = (results: unknown) => ({ status: "200", message: "success", results });
const full = success({ count: "0", data: [] });
/** The first field of a record in its full form is its timestamp, in the simple form its sender. */
const lacking = success({ count: "1", data: [{}] });
const noTokens = { count: "0", results: [] };

test.each<Given>([
  { body: full },
  { type: "Application/JSON; charset=utf-8", body: full },
  { type: "application/json ;x", body: full },
  { body: { ...full, message: " Success\n" } },
  { query: "?simple=true", body: success({ count: "0", data: [], to_block: "1" }) },
  { operation: "A6", body: { mrc_20: noTokens, mrc_721: noTokens } },
  // A refusal has no results.
  { body: { status: "400", message: "success", results: null } },
  { body: { status: "200", message: "NOTOK", results: null } },
  { status: 503, body: { status: "503", message: "busy" } },
  { status: 503, body: success({}) },
])("%j keeps it", (given) => {
  expect(violation(given)).toBeUndefined();
});

const noEnvelope = "expected an envelope with status, message and results";

test.each<[Given, string]>([
  [{ type: "text/json", body: full }, "expected the content type application/json, received text/"],
  [{ type: "x; application/json", body: full }, "expected the content type"],
  [{ type: "application/jsonp", body: full }, "expected the content type"],
  [{ type: "application/json x", body: full }, "expected the content type"],
  [{ body: "{" }, 'expected JSON, received "{"'],
  [{ body: [] }, noEnvelope],
  [{ body: { ...full, status: 200 } }, noEnvelope],
  [{ body: { ...full, message: undefined } }, noEnvelope],
  [
    { body: { status: "0", message: "NOTOK", result: "Max rate limit reached" } },
    "expected an envelope with status, message and results, received an object with status, message, result",
  ],
  [{ status: 500, body: { status: 500, message: "x" } }, "expected an envelope with status and"],
  [{ operation: "A6", status: 500, body: {} }, "expected an envelope with status and message (S1)"],
  [{ operation: "A6", body: { mrc_20: noTokens } }, "results.mrc_721: expected"],
  [{ body: lacking }, "results.data.0.timestamp: "],
  [{ query: "?simple=false", body: lacking }, "results.data.0.timestamp: "],
  [{ query: "?simple=true1", body: lacking }, "results.data.0.timestamp: "],
  [{ query: "?nosimple=true", body: lacking }, "results.data.0.timestamp: "],
  [{ query: "?simple=true", body: lacking }, "results.data.0.sender: "],
  [{ body: { ...lacking, message: " Success\n" } }, "results.data.0.timestamp: "],
  [{ query: "?limit=1&simple=true&input=true", body: lacking }, "results.data.0.sender: "],
  [{ operation: "B1", query: "?simple=true", body: success({}) }, "results.data: expected"],
])("%j violates it: %s", (given, problem) => {
  const error = violation(given);
  expect(error).toBeInstanceOf(ConformanceError);
  expect(error?.message).toContain(` violates the contract: ${problem}`);
  expect(error).toMatchObject({ name: "ConformanceError", operation: given.operation ?? "A2" });
});

test("the first violation is explained, and the fields of the others are named", () => {
  expect(violation({ body: success({ count: "many" }) })?.message).toMatch(
    /\(and 1 more: results\.data\)$/,
  );
  expect(violation({ body: success({ count: "0" }) })?.message).toMatch(/received nothing$/);
});
