// Which faults are taken: each at the limits of its parameters; and what a message says of the others.
import { describe, expect, test } from "vitest";
import { FaultError } from "../../mocks/faults/fault.ts";
import { parseFault } from "../../mocks/faults/parse-fault.ts";

const hash = `0x${"ab".repeat(32)}`;
const address = `0x${"ab".repeat(20)}`;

test.each<object>([
  { fault: "latency", ms: 0 },
  { fault: "latency", ms: { from: 5, to: 5 } },
  { fault: "latency", ms: { median: 5, p99: 5 } },
  { fault: "status", status: 200 },
  { fault: "status", status: 599, message: "x", headers: { "X-a_1": " ~" } },
  { fault: "failure", message: "x", results: { any: ["thing"] } },
  { fault: "rate-limit", retryAfter: 1 },
  { fault: "token-bucket", requests: 1, perMs: 1 },
  { fault: "malformed-json" },
  { fault: "truncated", keep: 0.01 },
  { fault: "content-type", type: "a" },
  { fault: "html", status: 203 },
  { fault: "empty" },
  { fault: "drip", bytes: 1, everyMs: 0 },
  { fault: "never" },
  { fault: "field", path: "count", operation: ["B1", "A2"], value: null },
  { fault: "field", path: "data.*.new", operation: "accounts.transactions", value: undefined },
  { fault: "stale", blocks: 1 },
  { fault: "pending-traces", polls: 1 },
  { fault: "reset", operation: ["blocks.get", "A2"], address, nth: 1, probability: 0 },
  { fault: "reset", address: hash, nth: [1, 3], probability: 1, once: true, times: 1 },
  { fault: "reset", until: "2026-01-01T00:00:00Z", untilBlock: 0 },
  { fault: "reset", until: -1 },
])("%j is a fault", (fault) => {
  expect(parseFault(fault)).toEqual(fault);
});

test("a preset is the fault it stands for, with its own conditions", () => {
  expect(parseFault({ preset: "503 twice", operation: "A2", nth: [2] })).toEqual({
    ...{ fault: "status", status: 503, times: 2 },
    ...{ operation: "A2", nth: [2] },
  });
  expect(parseFault({ preset: "offline" })).toEqual({ fault: "reset" });
});

/** The message of an error that begins like this. */
const startingWith = (message: string) => new RegExp(`^${message.replace(/[^\w ]/g, "\\$&")}`);

type Refused = [fault: string, parameters: object, field: string, expected: string];
const range = "milliseconds, { from, to } or { median, p99 }";
const status = "a status from 200 to 599 that may have a body, received ";
const integer = "an integer of 1 or more";
const path = "a path through the results, but no response of ";
const operation =
  'an operation of the contract (A2 or accounts.transactions), or several, received "A22"';
const moment = "an ISO time, or milliseconds since 1970";

describe("a fault is refused, by the name of what is wrong:", () => {
  test.each<Refused>([
    ["latency", { ms: -1 }, "ms", "milliseconds"],
    ["latency", { ms: "1" }, "ms", `${range}, received "1"`],
    ["latency", { ms: { from: 2, to: 1 } }, "ms", "milliseconds"],
    ["latency", { ms: { median: 2, p99: 1 } }, "ms", ""],
    ...[199, 600, 200.5, 204, 205, 304].map(
      (given): Refused => ["status", { status: given }, "status", `${status}${given}`],
    ),
    ["empty", { status: "304" }, "status", `${status}"304"`],
    ["status", { status: 500, message: "" }, "message", 'a text, received ""'],
    ...["", "\n", "a\n", "\u00e9", "\u007fa"].map(
      (a): Refused => ["status", { status: 500, headers: { a } }, "headers.a", "a header value"],
    ),
    ...["", "a b", "a:", ":a", "\u00e9"].map(
      (name): Refused => [
        ...(["status", { status: 500, headers: { [name]: "b" } }] as const),
        ...([`headers.${name}`, "the name of a header"] as const),
      ],
    ),
    ["rate-limit", { retryAfter: 0 }, "retryAfter", "seconds, 1 or more"],
    ["token-bucket", { requests: 0, perMs: 1 }, "requests", `${integer}, received 0`],
    ["token-bucket", { requests: 1, perMs: 0.5 }, "perMs", "milliseconds, 1 or more, received 0.5"],
    ["truncated", { keep: 0 }, "keep", "a share of the body, between 0 and 1, received 0"],
    ["content-type", { type: "" }, "type", "a header value"],
    ["stale", {}, "", "either blocks or polls"],
    ["stale", { blocks: 1, polls: 1 }, "", "either"],
    [
      "field",
      { path: "data.__proto__" },
      "path",
      "a path through fields of the results (__proto__ is not a field)",
    ],
    ["field", { path: "conut" }, "path", `${path}any operation has conut, received "conut"`],
    [
      ...(["field", { path: "count", operation: ["B1", "tokens.totalSupply"] }, "path"] as const),
      `${path}blocks.get (B1), tokens.totalSupply (T1) has count, received "count"`,
    ],
    ["reset", { operation: "A22" }, "operation", `${operation}; did you mean A2?`],
    ["reset", { address: "0x1" }, "address", "an address or a hash"],
    ["reset", { nth: 0 }, "nth", `${integer}, received 0`],
    ["reset", { nth: "1" }, "nth", `${integer}, or several, received "1"`],
    ["reset", { probability: 1.1 }, "probability", "a number from 0 to 1, received 1.1"],
    ["reset", { times: 0 }, "times", integer],
    ["reset", { until: "noon" }, "until", `${moment}, received "noon"`],
    ["reset", { until: null }, "until", moment],
    ["reset", { untilBlock: -1 }, "untilBlock", "a block number, received -1"],
    ["reset", { onec: true }, "onec", "one of "],
  ])("%s %j: %s", (fault, parameters, field, expected) => {
    const message = `${field && `${field} of `}the fault ${fault}: expected ${expected}`;
    expect(() => parseFault({ fault, ...parameters })).toThrow(FaultError);
    expect(() => parseFault({ fault, ...parameters })).toThrow(startingWith(message));
  });

  test.each<[string, object]>([
    ["fault: expected one of latency, status, failure, rate-limit, ", { fault: 7 }],
    ["preset: expected one of 503 twice, slow, offline, ", { preset: 7 }],
    ["times: expected an integer of 1 or more, received 0", { preset: "slow", times: 0 }],
    ["ms: expected one of preset, operation, ", { preset: "slow", ms: 1 }],
  ])("%s: %j", (message, fault) => {
    expect(() => parseFault(fault)).toThrow(FaultError);
    expect(() => parseFault(fault)).toThrow(startingWith(message));
  });

  test.each([null, undefined, 7, "reset", []])("%j: a fault is an object", (fault) => {
    expect(() => parseFault(fault)).toThrow(/^a fault: expected /);
  });

  test.each<[object, string]>([
    [{ fault: "restt" }, 'received "restt"; did you mean reset?'],
    [{ preset: "slwo" }, 'received "slwo"; did you mean slow?'],
    [{ fault: "reset", onec: true }, "did you mean once?"],
    [{ fault: "field", path: "" }, 'expected a text, received ""'],
  ])("%j: the message ends with the nearest word, if there is one", (fault, end) => {
    expect(() => parseFault(fault)).toThrow(new RegExp(`${end.replace(/[?]/g, "\\$&")}$`));
  });

  test.each<[object, string]>([
    [{ fault: "field", path: "count", value: 7n }, "value of the fault field"],
    [{ fault: "failure", message: "x", results: { count: 7n } }, "results of the fault failure"],
  ])("a value that JSON cannot hold", (fault, field) => {
    const message = `${field}: expected a value of JSON; amounts are texts, received`;
    expect(() => parseFault(fault)).toThrow(message);
  });

  test("several mistakes, one after the other", () => {
    expect(() => parseFault({ fault: "drip", bytes: 0, everyMs: -1 })).toThrow(
      /^bytes of the fault drip: .*; everyMs of the fault drip: /,
    );
    expect(() => parseFault({ preset: "slow", times: 0, nth: 0 })).toThrow(/^nth: .*; times: /);
  });
});
