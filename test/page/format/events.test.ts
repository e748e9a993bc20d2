// Events in columns: topics for what is typed, values of logs of any event, and filters of what is not indexed.
import * as AbiItem from "ox/AbiItem";
import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { expect, test } from "vitest";
import { matches, topicFilters, valuesOf } from "../../../mocks/page/format/events.ts";
import { type Member, membersOf } from "../../../src/cli/abi.ts";
import type { EventLog } from "../../../src/models/event-log.ts";

const member = (signature: string): Member => {
  const [found] = membersOf([AbiItem.from(signature)]);
  if (found === undefined) throw new Error(`not read: ${signature}`);
  return found;
};

const account = `0x${"ab".repeat(20)}` as const;
const signature =
  "event Paid(address indexed by, string indexed memo, uint256 amount, string text)";
const paid = member(signature);
const [topic_0, topic_1, topic_2] = encodeEventTopics({
  abi: parseAbi([signature]),
  args: { by: account, memo: "rent" },
});
const data = encodeAbiParameters([{ type: "uint256" }, { type: "string" }], [5n, "For March"]);
const log = {
  topic_0,
  topic_1,
  topic_2,
  topic_3: null,
  topics_count: 3,
  data,
} as Partial<EventLog> as EventLog;

test("what is typed above indexed columns becomes topics, a text its hash", () => {
  expect(topicFilters(paid, [account, "rent", "5", "x"])).toEqual({ topic_0, topic_1, topic_2 });
  expect(topicFilters(paid, [" ", "rent"])).toEqual({ topic_0, topic_2 });
  expect(topicFilters(paid, [])).toEqual({ topic_0 });
  expect(() => topicFilters(paid, ["0x12"])).toThrow("by (address): expected an address");
  expect(() => topicFilters(member("event E(uint256[] indexed ids)"), ["[1]"])).toThrow(
    "only its hash is indexed",
  );
});

test("values stand in the order of the event, of longer indexed ones the hash", () => {
  expect(valuesOf(paid, log)?.map(({ name, text }) => [name, text])).toEqual([
    ["by", account],
    ["memo", topic_2],
    ["amount", "5"],
    ["text", "For March"],
  ]);
});

test("a log of an event with other indexed values, or of other data, has none", () => {
  expect(
    valuesOf(
      member("event Paid(address by, string indexed memo, uint256 amount, string text)"),
      log,
    ),
  ).toBeUndefined();
  expect(valuesOf(paid, { ...log, data: "0x12" })).toBeUndefined();
});

test("an amount of the token matches as it is shown, and in raw digits", () => {
  const moved = member("event Transfer(address indexed from, address indexed to, uint256 value)");
  const has = (raw: string, wanted: string, decimals?: number) => {
    const values = ["", "", raw].map((text) => ({ name: "", type: "uint256", text }));
    return matches(moved, values, ["", "", wanted], decimals);
  };
  for (const wanted of ["1234500000", "1,234.5", "1234.50", "1_234_500_000", " 1234.5 "])
    expect(has("1234500000", wanted, 6)).toBe(true);
  for (const wanted of ["1234.6", "1234", "12345", "1.2345", "1234.5000001"])
    expect(has("1234500000", wanted, 6)).toBe(false);
  expect(has("250000000", "250", 6)).toBe(true);
  // As the column shows it: cut.
  expect(has("1234567", "1.23456", 6)).toBe(true);
  expect(has("1", "<0.00001", 18)).toBe(true);
  expect(has("1", "0.000001", 6)).toBe(true);
  expect(has("1500000", "1.5")).toBe(false);
  const id = member("event Transfer(address indexed from, address indexed to, uint256 tokenId)");
  const values = ["", "", "1500000"].map((text) => ({ name: "", type: "uint256", text }));
  expect(matches(id, values, ["", "", "1.5"], 6)).toBe(false);

  const indexed = member("event Transfer(address from, address to, uint256 indexed value)");
  expect(topicFilters(indexed, ["", "", "1.5"], 6)).toEqual(
    topicFilters(indexed, ["", "", "1500000"], 6),
  );
  expect(() => topicFilters(indexed, ["", "", "1.5"])).toThrow("expected an integer");
});

test("what is not indexed matches a number, or a part of a text", () => {
  const values = valuesOf(paid, log) ?? [];
  expect(matches(paid, values, ["", "", "5", "march"])).toBe(true);
  expect(matches(paid, values, ["", "", "", ""])).toBe(true);
  expect(matches(paid, values, ["", "", "55", ""])).toBe(false);
  expect(matches(paid, values, ["", "", "", "april"])).toBe(false);
  // Topics have found what is indexed.
  expect(matches(paid, values, ["0x", "other", "", ""])).toBe(true);
});
