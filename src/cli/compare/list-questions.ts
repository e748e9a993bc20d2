// What an explorer is asked about a list: what each parameter leaves of its longest page, as data.
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import type { AskedRequest, ExplorerResponse, Raw } from "./ask.ts";
import * as judge from "./judge.ts";
import { type AnswerList, type Judgements, recordsOf, rule, SPECIFIED, success } from "./judge.ts";
import type { Sample } from "./sample.ts";

/** An address and a hash that no chain has, and a number beyond the end of every list. */
export const NO_ADDRESS = "0x00000000000000000000000000000000c0ffee01";
export const NO_HASH = `0x${"c0ffee".padStart(64, "0")}`;
const BEYOND = 100_000_000;

/** A question and its judge. */
export interface Question {
  /** The question without any value of the chain: `limit=1`. */
  readonly asked: string;
  readonly message: AskedRequest;
  readonly judge: (answer: ExplorerResponse) => Judgements;
  /** What this answer is compared with, asked again before a difference counts: new blocks arrive meanwhile. */
  readonly reference?: Question | undefined;
}

/** The questions about one operation, each a variation of one that has an answer. */
export function aboutOf(operation: AnyOperation, subject: Raw) {
  const question = (asked: string, raw: Raw, judge: Question["judge"], changes = {}): Question => ({
    asked,
    message: { operation, raw: { ...subject, ...raw }, ...changes },
    judge,
  });
  /** One that is to succeed, with more to judge of its records. */
  const succeeds = (
    asked: string,
    raw: Raw,
    more: (records: readonly Row[], answer: ExplorerResponse) => Judgements = () => [],
  ) =>
    question(asked, raw, function* (answer) {
      yield* success(operation, answer, raw.simple === true);
      if (answer.status === 200) yield* more(recordsOf(answer), answer);
    });
  return { operation, subject, question, succeeds };
}

export type About = ReturnType<typeof aboutOf>;

/** A list that is asked about, and the longest page of it, from which every other answer follows. */
interface Listed {
  readonly about: About;
  readonly sample: Sample;
  full: readonly AnswerList[];
  /** Whether the longest page holds the whole list. */
  isWhole: boolean;
}

/** Whether a record remains; undefined for one that does not say. */
type Keeps = (record: Row) => boolean | undefined;
const none: Keeps = () => false;

/** What parameters leave of the longest page: the records that `keeps` returns true for, or those that `limit` and `offset` leave. */
interface Variation {
  readonly rule: string;
  readonly field: string;
  readonly expected: string;
  readonly raw: Raw;
  readonly keeps?: Keeps;
}

/** Parameters without values of the chain: `topic_0, operand=or`. */
const askedIn = (raw: Raw): string =>
  Object.entries(raw)
    .map(([name, value]) =>
      /^(limit|offset|operand|type|condition)$/.test(name) ? `${name}=${value}` : name,
    )
    .join(", ") || "no parameters";

const same = (one: unknown, other: unknown) => `${one}`.toLowerCase() === `${other}`.toLowerCase();
const recordsIn = ({ full }: Listed): readonly Row[] => full.flatMap(({ records }) => records);

/** A page of this length at most. */
const slice = (raw: Raw, most: number): Variation => ({
  rule: SPECIFIED,
  field: `length at limit ${most}`,
  expected: `at most ${most} records, and all up to there`,
  raw,
});

/** A list where nothing fits. */
const empty = (rule: string, field: string, raw: Raw): Variation => ({
  ...{ rule, field, expected: "empty", raw },
  keeps: none,
});

/** What each parameter leaves of a list, and what it leaves of one where nothing fits. */
const variations: Readonly<Record<string, (list: Listed) => readonly Variation[]>> = {
  limit: () => [slice({}, limits.default), slice({ limit: 1 }, 1)],
  offset: () => {
    const [rule, field, expected] = [SPECIFIED, "offset", "the number of records to skip"];
    return [
      { rule, field, expected, raw: { limit: 2, offset: 1 } },
      empty(rule, "beyond the end", { offset: BEYOND }),
    ];
  },
  startBlock: (list) => [
    empty(SPECIFIED, "beyond the head", { startBlock: list.sample.head + BEYOND }),
    ...range(list, "startBlock", (block, bound) => block >= bound),
  ],
  endBlock: (list) => range(list, "endBlock", (block, bound) => block <= bound),
  condition: ({ about: { subject } }) =>
    Object.entries({ from: "sender", to: "receiver" }).map(([condition, party]) => ({
      ...{ rule: "S9", field: `condition=${condition}`, expected: `${party} is the address` },
      raw: { condition },
      keeps: (record) => same(record[party], subject.address_hash),
    })),
  topic_0(list) {
    const records = recordsIn(list);
    const { topic_0 = NO_HASH } = records.find((one) => one.topic_0) ?? {};
    const { topic_1 = NO_HASH } = records.find((one) => one.topic_0 && one.topic_1) ?? {};
    const first: Keeps = (log) => same(log.topic_0, topic_0);
    const second: Keeps = (log) => same(log.topic_1, topic_1);
    const both: Keeps = (log) => first(log) && second(log);
    const asked = new Map<Raw, Keeps>([
      [{ topic_0 }, first],
      [{ topic_0, topic_1 }, both],
      [{ topic_0, topic_1, operand: "or" }, (log) => first(log) || second(log)],
      [{ topic_0, topic_1: NO_HASH, type: "single" }, first],
      [{ topic_0, topic_1, type: "conbine" }, both],
      [{ topic_0, topic_1, type: "combine" }, both],
    ]);
    const [rule, field, expected] = ["S15", "filter by topics", "the logs with these topics"];
    return Array.from(asked, ([raw, keeps]) => ({ rule, field, expected, raw, keeps }));
  },
};

/** The range that begins or ends in the middle of the blocks that a list has. */
function range(
  list: Listed,
  field: "startBlock" | "endBlock",
  isWithin: (block: number, bound: number) => boolean,
): Variation[] {
  const blockOf = ({ block_number, transaction_hash }: Row) =>
    Number(block_number ?? list.sample.blocks.get(`${transaction_hash}`) ?? Number.NaN);
  const found = new Set(recordsIn(list).map(blockOf));
  const blocks = [...found].filter((one) => one >= 0).sort((one, other) => one - other);
  const bound = blocks[Math.floor(blocks.length / 2)];
  if (bound === undefined || blocks.length < 2) return [];
  const keeps: Keeps = (record) =>
    Number.isNaN(blockOf(record)) ? undefined : isWithin(blockOf(record), bound);
  return [{ rule: "S5", field, expected: "inclusive", raw: { [field]: bound }, keeps }];
}

/** Every question about a list that is to succeed. */
export function* listQuestions(about: About, sample: Sample): Generator<Question> {
  const { operation } = about;
  const { query, path } = operation.places;
  const max = operation.list?.maxLimit ?? limits.max;
  const list: Listed = { about, sample, full: [], isWhole: false };
  const reference = about.succeeds(`limit=${max}`, { limit: max }, (_, answer) => {
    list.full = judge.answerLists(answer);
    return longest(list);
  });
  yield reference;
  const offset = Math.max(...list.full.map(({ records }) => records.length), 0);
  const next = about.succeeds("the page after the longest", { limit: 1, offset }, ({ length }) => {
    list.isWhole = length === 0;
    const isEnd = offset >= max || length === 0;
    const expected = `${max} records on a page, or all`;
    return [rule(SPECIFIED, "longest page", expected, !isEnd && `${offset} records`)];
  });
  yield { ...next, reference };
  const unknown = { [path[0] ?? "address"]: NO_ADDRESS };
  const asked = query.flatMap((name) => variations[name]?.(list) ?? []);
  if (!operation.finality) asked.unshift(empty("S6", "list of an unknown address", unknown));
  for (const one of asked) {
    const limit = one.keeps && one.keeps !== none ? { limit: max } : {};
    const judge: Question["judge"] = (answer) => remaining(list, answer, one);
    yield { ...about.question(askedIn(one.raw), { ...one.raw, ...limit }, judge), reference };
  }
  const ignores: Question["judge"] = ({ status }) => [
    rule("S5", "unknown parameters", "ignored", status !== 200 && `${status}`),
  ];
  yield about.question("an unknown parameter", { limit: 1 }, ignores, { suffix: "&colour=red" });
  // With `input=true` each record has the field, and without it none (S8).
  if (query.includes("input"))
    yield about.question("input=true", { input: true, limit: 10 }, (answer) => {
      const isThere = recordsOf(answer).every((record) => "input" in record);
      const isUnasked = recordsIn(list).some((record) => "input" in record);
      return [
        rule("S8", "field input", "in each record", !isThere && "missing"),
        rule("S8", "field input, unasked", "absent", isUnasked && "there"),
      ];
    });
  if (query.includes("simple"))
    yield about.succeeds("simple=true", { simple: true }, (_, answer) => {
      const { to_block } = Object(judge.resultsOf(answer));
      const isBlock = /^\d+$/.test(`${to_block}`);
      return [rule("S10", "to_block", "the last block covered", !isBlock && `${to_block}`)];
    });
}

/** The judgements on the longest page. */
function* longest(list: Listed): Judgements {
  for (const part of list.full) yield* judge.inOrder(list.about.operation, part);
  const heads = recordsIn(list).flatMap(({ confirmations, block_number }) =>
    confirmations == null ? [] : [Number(confirmations) + Number(block_number)],
  );
  const lags = heads.some((head) => head < list.sample.head);
  if (heads.length > 0) yield rule("S13", "confirmations", "head - block_number", lags && "less");
}

/** The judgements on what parameters leave: every record that remains of the longest page, no other, and the count. */
function* remaining(list: Listed, answer: ExplorerResponse, variation: Variation): Judgements {
  const { operation } = list.about;
  const { raw, rule: decision, field, expected, keeps } = variation;
  const { offset = 0, limit = limits.default }: { offset?: number; limit?: number } = raw;
  if (keeps === none) {
    yield { ...judge.hasStatus(decision, 200, answer), field: "HTTP status of an empty list" };
    if (answer.status !== 200) return;
  }
  yield* success(operation, answer);
  const keyOf = (record: Row = {}) =>
    JSON.stringify(operation.list?.identity.map((name) => record[name]));
  for (const part of judge.answerLists(answer)) {
    const { records, count } = part;
    const whole = list.full.find(({ name }) => name === part.name)?.records ?? [];
    const wanted = keeps ? whole.filter(keeps) : whole.slice(offset, offset + limit);
    const keys = new Set(records.map(keyOf));
    const isMissing = wanted.some((record) => !keys.has(keyOf(record)));
    const isOther = keeps
      ? records.some((record) => keeps(record) === false)
      : records.length > limit || (offset > 0 && keyOf(records[0]) !== keyOf(wanted[0]));
    const isIgnored =
      records.length > 0 && records.every((one, at) => keyOf(one) === keyOf(whole[at]));
    const others = `${records.length} records, ${isOther ? "others, too" : "not all of them"}`;
    const received = (isMissing || isOther) && (isIgnored ? "ignored" : others);
    yield rule(decision, judge.fieldIn(part, field), expected, received);
    if (decision === "S6") {
      const name = judge.fieldIn(part, "count of an empty list");
      yield rule("S6", name, '"0"', `${count}` !== "0" && `${count}`);
    }
    if (keeps || whole.length === 0 || whole.length === records.length) continue;
    const isTotal = list.isWhole ? Number(count) === whole.length : Number(count) >= whole.length;
    const other = !isTotal && `${count} of ${whole.length}`;
    yield rule("S3", judge.fieldIn(part, "count"), "the number of all records", other);
  }
}
