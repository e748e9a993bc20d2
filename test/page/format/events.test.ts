// Events in columns: topics for what is typed, values of logs of any event, and filters of what is not indexed.
import * as AbiItem from "ox/AbiItem";
import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { expect, test } from "vitest";
import { type Member, membersOf } from "../../../mocks/abi.ts";
import { matches, topicsOf, valuesOf } from "../../../mocks/page/format/events.ts";
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
  expect(topicsOf(paid, [account, "rent", "5", "x"])).toEqual({ topic_0, topic_1, topic_2 });
  expect(topicsOf(paid, [" ", "rent"])).toEqual({ topic_0, topic_2 });
  expect(topicsOf(paid, [])).toEqual({ topic_0 });
  expect(() => topicsOf(paid, ["0x12"])).toThrow("by (address): expected an address");
  expect(() => topicsOf(member("event E(uint256[] indexed ids)"), ["[1]"])).toThrow(
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

test("what is not indexed matches a number, or a part of a text", () => {
  const values = valuesOf(paid, log) ?? [];
  expect(matches(paid, values, ["", "", "5", "march"])).toBe(true);
  expect(matches(paid, values, ["", "", "", ""])).toBe(true);
  expect(matches(paid, values, ["", "", "55", ""])).toBe(false);
  expect(matches(paid, values, ["", "", "", "april"])).toBe(false);
  // Topics have found what is indexed.
  expect(matches(paid, values, ["0x", "other", "", ""])).toBe(true);
});
