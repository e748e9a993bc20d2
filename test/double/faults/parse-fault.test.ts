// Which faults are taken: each at the limits of its parameters; and what a message says of the others.
import { describe, expect, test } from "vitest";
import { FaultError } from "../../../mocks/double/faults/fault.ts";
import { parseFault } from "../../../mocks/double/faults/parse-fault.ts";

const hash = `0x${"ab".repeat(32)}`;
const address = `0x${"ab".repeat(20)}`;

test.each<object>([
  { fault: "latency", ms: 0 },
  { fault: "latency", ms: { from: 5, to: 5 } },
  { fault: "latency", ms: { median: 5, p99: 5 } },
  { fault: "status", status: 200 },
  { fault: "status", status: 999, message: "x", headers: { "X-a_1": " ~" } },
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

const range = "expected milliseconds, { from, to } or { median, p99 }";
const status = "expected a status from 200 to 999 that may have a body";
const header = "expected a header value";
const share = "expected a share of the body, between 0 and 1";
const moment = "expected an ISO time, or milliseconds since 1970";

describe("a fault is refused, by the name of what is wrong:", () => {
  test.each<[string, object]>([
    ["ms of the fault latency: expected milliseconds", { fault: "latency", ms: -1 }],
    [`ms of the fault latency: ${range}, received "1"`, { fault: "latency", ms: "1" }],
    [
      "ms of the fault latency: expected milliseconds",
      { fault: "latency", ms: { from: 2, to: 1 } },
    ],
    ["ms", { fault: "latency", ms: { from: 1, to: 2, p99: 3 } }],
    ["ms", { fault: "latency", ms: { median: 2, p99: 1 } }],
    ...[199, 1000, 200.5, 204, 205, 304, "503"].map((given): [string, object] => [
      `status of the fault status: ${status}, received ${JSON.stringify(given)}`,
      { fault: "status", status: given },
    ]),
    [`status of the fault html: ${status}, received 204`, { fault: "html", status: 204 }],
    [`status of the fault empty: ${status}, received 304`, { fault: "empty", status: 304 }],
    [
      'message of the fault status: expected a text, received ""',
      { fault: "status", status: 500, message: "" },
    ],
    ...["", "\n", "a\n", "\u00e9", "\u007fa"].map((given): [string, object] => [
      `headers.a of the fault status: ${header}`,
      { fault: "status", status: 500, headers: { a: given } },
    ]),
    ...["", "a b", "a:", ":a", "\u00e9"].map((given): [string, object] => [
      `headers.${given} of the fault status: expected the name of a header`,
      { fault: "status", status: 500, headers: { [given]: "b" } },
    ]),
    ["message of the fault failure: expected a text", { fault: "failure", message: "" }],
    [
      "retryAfter of the fault rate-limit: expected seconds, 1 or more",
      { fault: "rate-limit", retryAfter: 0 },
    ],
    [
      "requests of the fault token-bucket: expected an integer of 1 or more, received 0",
      { fault: "token-bucket", requests: 0, perMs: 1 },
    ],
    [
      "perMs of the fault token-bucket: expected milliseconds, 1 or more, received 0.5",
      { fault: "token-bucket", requests: 1, perMs: 0.5 },
    ],
    [`keep of the fault truncated: ${share}, received 0`, { fault: "truncated", keep: 0 }],
    [`keep of the fault truncated: ${share}, received 1`, { fault: "truncated", keep: 1 }],
    [`type of the fault content-type: ${header}`, { fault: "content-type", type: "" }],
    ["bytes of the fault drip", { fault: "drip", bytes: 0, everyMs: 1 }],
    ["everyMs of the fault drip", { fault: "drip", bytes: 1, everyMs: -1 }],
    ["the fault stale: expected either blocks or polls", { fault: "stale" }],
    ["the fault stale: expected either", { fault: "stale", blocks: 1, polls: 1 }],
    ["the fault pending-traces: expected either", { fault: "pending-traces" }],
    ["blocks of the fault stale: expected an integer of 1 or more", { fault: "stale", blocks: 0 }],
    ["blocks of the fault stale", { fault: "stale", blocks: undefined, polls: 1 }],
    [
      'path of the fault field: expected a path of fields of the results, which __proto__ is not, received "data.__proto__"',
      { fault: "field", path: "data.__proto__" },
    ],
    [
      'path of the fault field: expected a path through the results, but no response of any operation has conut, received "conut"',
      { fault: "field", path: "conut" },
    ],
    [
      'path of the fault field: expected a path through the results, but no response of blocks.get (B1), tokens.totalSupply (T1) has count, received "count"',
      { fault: "field", path: "count", operation: ["B1", "tokens.totalSupply"] },
    ],
    [
      `operation of the fault reset: expected an operation of the contract (A2 or accounts.transactions), or several, received "A22"; did you mean A2?`,
      { fault: "reset", operation: "A22" },
    ],
    ["operation of the fault reset", { fault: "reset", operation: [] }],
    ["operation.1 of the fault reset", { fault: "reset", operation: ["A2", "constructor"] }],
    [
      "address of the fault reset: expected an address or a hash",
      { fault: "reset", address: "0x1" },
    ],
    [
      "nth of the fault reset: expected an integer of 1 or more, received 0",
      { fault: "reset", nth: 0 },
    ],
    [
      'nth of the fault reset: expected an integer of 1 or more, or several, received "1"',
      { fault: "reset", nth: "1" },
    ],
    ["nth of the fault reset", { fault: "reset", nth: [] }],
    [
      "probability of the fault reset: expected a number from 0 to 1, received 1.1",
      { fault: "reset", probability: 1.1 },
    ],
    ["times of the fault reset: expected an integer of 1 or more", { fault: "reset", times: 0 }],
    ["once of the fault reset: expected", { fault: "reset", once: 1 }],
    [`until of the fault reset: ${moment}, received "noon"`, { fault: "reset", until: "noon" }],
    [`until of the fault reset: ${moment}`, { fault: "reset", until: null }],
    [
      "untilBlock of the fault reset: expected a block number, received -1",
      { fault: "reset", untilBlock: -1 },
    ],
    ["onec of the fault reset: expected one of ", { fault: "reset", onec: true }],
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

  test("several mistakes, one after the other", () => {
    expect(() => parseFault({ fault: "drip", bytes: 0, everyMs: -1 })).toThrow(
      /^bytes of the fault drip: .*; everyMs of the fault drip: /,
    );
    expect(() => parseFault({ preset: "slow", times: 0, nth: 0 })).toThrow(/^nth: .*; times: /);
  });
});
