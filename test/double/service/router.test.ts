// Which operation a path is of, with which parameters, and what is said of a path that is of none.
import { expect, test } from "vitest";
import { ServiceError } from "../../../mocks/double/service/api.ts";
import { operationOf, Router } from "../../../mocks/double/service/router.ts";
import { type AnyOperation, operations } from "../../../src/contract/index.ts";

const contract = new Router(operations);

/** The error of a request that no operation answers. */
function refusal(method: string, path: string): ServiceError {
  try {
    contract.find(method, path);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error("an operation answers it");
}

test.each([
  ["GET", "/v1/blocks/7", "B1"],
  ["HEAD", "/v1/blocks/7?x=/y", "B1"],
  ["GET", "/v1/event-logs?address=0x1", "L1"],
  ["POST", "/v1/accounts/balance", "A1"],
  ["GET", "/v1/accounts/balance", undefined],
  ["POST", "/v1/blocks/7", undefined],
  ["GET", "/v1/blocks/", undefined],
  ["GET", "/v1/blocks/7/8", undefined],
  ["GET", "/v1", undefined],
  ["GET", "", undefined],
])("%s %s is operation %s", (method, target, id) => {
  expect(operationOf(method, target)).toBe(id);
});

test("words of a path take precedence, and what they lead to nowhere leaves no parameter behind", () => {
  const at = (path: string): AnyOperation => ({ ...operations.B1, path });
  const router = new Router({ one: at("/a/{x}/c"), two: at("/{y}/{z}/d"), three: at("/{y}/b") });
  const found = (path: string) => {
    const { route, values } = router.find("GET", path);
    return [route.id, Object.fromEntries(route.names.map((name, at) => [name, values[at]]))];
  };
  expect(found("/a/b/c")).toEqual(["one", { x: "b" }]);
  expect(found("/a/b/d")).toEqual(["two", { y: "a", z: "b" }]);
  expect(found("/a/b")).toEqual(["three", { y: "a" }]);
  expect(router.match("GET", "/a/b/d")?.values).toEqual(["a", "b"]);
});

test.each([
  ["/v1/block/7", "B1, GET /v1/blocks/{block_number}?"],
  ["/v1//block//7", "B1, GET /v1/blocks/{block_number}?"],
  // Four of eight letters.
  ["/v1/blxxxx/7", "B1, GET /v1/blocks/{block_number}?"],
  ["/v1/transactions/0/transaction-statux", "X1, GET "],
  ["/v1/transactions/0/receipt-statux", "X2, GET "],
  ["/v1/account/balances", "A1, POST /v1/accounts/balance?"],
])("%s is no operation, and the nearest one is %s", (path, nearest) => {
  expect(refusal("GET", path)).toMatchObject({
    status: 404,
    message: expect.stringContaining(`no operation at GET ${path}; did you mean ${nearest}`),
  });
});

test.each(["/v1/blxxxxx/7", "/v1/blocks", "/nothing/like/it", "/"])(
  "%s is far from all operations",
  (path) => {
    expect(refusal("GET", path)).toMatchObject({
      status: 404,
      message: `no operation at GET ${path}`,
    });
  },
);

test("a message repeats 200 characters of a path and 20 of a method", () => {
  const { message } = refusal("M".repeat(21), `/${"x".repeat(200)}`);
  expect(message).toBe(`no operation at ${"M".repeat(20)} /${"x".repeat(199)}`);
  const other = refusal("M".repeat(21), "/v1/blocks/7");
  expect(other).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  expect(other.message).toBe(`expected GET, received ${"M".repeat(20)}`);
  expect(refusal("GET", "/v1/accounts/balance").headers).toEqual({ allow: "POST" });
});
