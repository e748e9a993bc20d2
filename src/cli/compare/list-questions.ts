// What an explorer is asked about a list: every answer follows from its longest page and the contract's parameters.
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import { type AskedRequest, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import {
  type AnswerList,
  answerLists,
  fieldWithin,
  inOrder,
  type Judgements,
  recordsOf,
  refusal,
  resultsOf,
  rule,
  SPECIFIED,
  success,
} from "./judge.ts";
import type { Sample } from "./sample.ts";

/** An address and a hash that no chain has, and a number beyond the end of every list. */
export const NO_ADDRESS = "0x00000000000000000000000000000000c0ffee01";
export const NO_HASH = `0x${"c0ffee".padStart(64, "0")}`;
const BEYOND = 100_000_000;

/** A question and its judge. */
export interface Question {
  /** The number of the operation; "paths" for none. */
  readonly id: string;
  /** The question without any value of the chain: `limit=1`. */
  readonly asked: string;
  readonly message: AskedRequest;
  readonly judge: (answer: ExplorerResponse) => Judgements;
  /** What this answer is compared with, asked again before a difference counts: new blocks arrive meanwhile. */
  readonly reference?: Question | undefined;
}

/** A question about an operation with these parameters; `changes`: to the request. */
export const questionOf = (
  operation: AnyOperation,
  asked: string,
  raw: Raw,
  judge: Question["judge"],
  changes: Partial<AskedRequest> = {},
): Question => {
  const message = { ...requestFor(operation, raw), ...changes };
  return { id: operation.id, asked, message, judge };
};

/** A list that is asked about, and the longest page of it, from which every other answer follows. */
interface Listed {
  readonly operation: AnyOperation;
  readonly sample: Sample;
  readonly subject: Raw;
  full: readonly AnswerList[];
  /** Whether the longest page holds the whole list. */
  isWhole: boolean;
}

/** What parameters of a list mean: the records of the longest page that remain. */
interface Filter {
  readonly raw: Raw;
  /** The decision, and the field of a difference. */
  readonly rule: string;
  readonly field: string;
  readonly expected: string;
  /** Undefined of a record that does not say. */
  readonly keeps: (record: Row) => boolean | undefined;
  /** A record that should not be there, and one that is not. */
  readonly received?: readonly [string, string];
}

const blockOf =
  ({ blocks }: Sample) =>
  ({ block_number, transaction_hash }: Row): number =>
    Number(block_number ?? blocks.get(`${transaction_hash}`) ?? Number.NaN);

/** What each parameter means that filters a list. */
const filters: Readonly<Record<string, (list: Listed) => readonly Filter[]>> = {
  startBlock: (list) => ranges(list, "startBlock", (block, bound) => block >= bound),
  endBlock: (list) => ranges(list, "endBlock", (block, bound) => block <= bound),
  condition: ({ subject }) =>
    Object.entries({ from: "sender", to: "receiver" }).map(([condition, field]) => ({
      raw: { condition },
      ...{ rule: "S9", field: `condition=${condition}`, expected: `${field} is the address` },
      keeps: (record) => same(record[field], subject.address_hash),
    })),
  topic_0(list) {
    const all = recordsIn(list);
    const { topic_0 = NO_HASH } = all.find((one) => one.topic_0) ?? {};
    const { topic_1 = NO_HASH } = all.find((one) => one.topic_0 && one.topic_1) ?? {};
    const is = (log: Row, name: string, topic: unknown) => same(log[name], topic);
    const both = (log: Row) => is(log, "topic_0", topic_0) && is(log, "topic_1", topic_1);
    const either = (log: Row) => is(log, "topic_0", topic_0) || is(log, "topic_1", topic_1);
    const only = (log: Row) => is(log, "topic_0", topic_0);
    const asked: readonly (readonly [Raw, (log: Row) => boolean])[] = [
      [{ topic_0 }, only],
      [{ topic_0, topic_1 }, both],
      [{ topic_0, topic_1, operand: "or" }, either],
      [{ topic_0, topic_1: NO_HASH, type: "single" }, only],
      [{ topic_0, topic_1, type: "conbine" }, both],
      [{ topic_0, topic_1, type: "combine" }, both],
    ];
    return asked.map(([raw, keeps]) => ({
      ...{ raw, rule: "S15", field: "filter by topics", keeps },
      expected: "the logs with these topics",
    }));
  },
};

const same = (one: unknown, other: unknown): boolean =>
  `${one}`.toLowerCase() === `${other}`.toLowerCase();

const recordsIn = ({ full }: Listed): readonly Row[] => full.flatMap(({ records }) => records);

/** The range that begins or ends in the middle of the blocks that a list has. */
function ranges(
  list: Listed,
  name: "startBlock" | "endBlock",
  isWithin: (block: number, bound: number) => boolean,
): readonly Filter[] {
  const block = blockOf(list.sample);
  const found = recordsIn(list).map(block);
  const blocks = [...new Set(found.filter((one) => one >= 0))].sort((a, b) => a - b);
  const bound = blocks[Math.floor(blocks.length / 2)];
  if (bound === undefined || blocks.length < 2) return [];
  const keeps = (record: Row) =>
    Number.isNaN(block(record)) ? undefined : isWithin(block(record), bound);
  const received = ["ignored", "exclusive"] as const;
  return [
    { raw: { [name]: bound }, rule: "S5", field: name, expected: "inclusive", keeps, received },
  ];
}

/** Every question about a list. */
export function* listQuestions(
  operation: AnyOperation,
  subject: Raw,
  sample: Sample,
): Generator<Question> {
  const { places } = operation;
  const max = operation.list?.maxLimit ?? limits.max;
  const list: Listed = { operation, sample, subject, full: [], isWhole: false };
  const about = (asked: string, raw: Raw, judge: Question["judge"]) =>
    questionOf(operation, asked, { ...subject, ...raw }, judge);
  const reference = about(`limit=${max}`, { limit: max }, (answer) => whole(list, answer));
  const compared = (asked: string, raw: Raw, judge: Question["judge"]) => ({
    ...about(asked, raw, judge),
    reference,
  });
  yield reference;
  const longest = Math.max(...list.full.map(({ records }) => records.length), 0);
  yield compared("the page after the longest", { limit: 1, offset: longest }, function* (answer) {
    yield* success(operation, answer);
    const { length } = recordsOf(answer);
    list.isWhole = answer.status === 200 && length === 0;
    const isEnd = longest >= max || length === 0;
    const expected = `${max} records on a page, or all`;
    yield rule(SPECIFIED, "longest page", expected, !isEnd && `${longest} records`);
  });
  const slices: readonly (readonly [string, Raw, number, number])[] = [
    ["no parameters", {}, 0, limits.default],
    ["limit=1", { limit: 1 }, 0, 1],
    ["limit=2, offset=1", { limit: 2, offset: 1 }, 1, 2],
  ];
  for (const [asked, raw, offset, limit] of slices)
    yield compared(asked, raw, (answer) => sliced(list, answer, offset, limit));
  yield about("offset beyond the end", { offset: BEYOND }, (answer) =>
    empty(operation, answer, SPECIFIED, "beyond the end"),
  );
  if (operation.finality === undefined)
    yield about("an unknown address", { [places.path[0] ?? "address"]: NO_ADDRESS }, (answer) =>
      empty(operation, answer, "S6", "list of an unknown address"),
    );
  yield about("an unknown parameter", { limit: 1, colour: "red" }, function* ({ status }) {
    yield rule("S5", "unknown parameters", "ignored", status !== 200 && `${status}`);
  });
  const mistake = (asked: string, raw: Raw, decision: string) =>
    about(asked, raw, (answer) => refusal(operation, answer, 400, decision));
  yield mistake("limit twice", { limit: [1, 2] }, "S20");
  if (places.query.includes("startBlock")) {
    yield mistake("startBlock after endBlock", { startBlock: 9, endBlock: 8 }, "S5");
    yield about("startBlock beyond the head", { startBlock: sample.head + BEYOND }, (answer) =>
      empty(operation, answer, SPECIFIED, "beyond the head"),
    );
  }
  for (const name of places.query)
    for (const filter of filters[name]?.(list) ?? [])
      yield compared(askedIn(filter.raw), { ...filter.raw, limit: max }, (answer) =>
        filtered(list, answer, filter),
      );
  if (places.query.includes("input")) yield* inputQuestions(list, about);
  if (places.query.includes("simple"))
    yield about("simple=true", { simple: true }, function* (answer) {
      yield* success(operation, answer, true);
      const { to_block } = Object(resultsOf(answer));
      const isBlock = /^\d+$/.test(`${to_block}`);
      yield rule("S10", "to_block", "the last block covered", !isBlock && `${to_block}`);
    });
}

/** Parameters without values of the chain: `topic_0, operand=or`. */
const askedIn = (raw: Raw): string =>
  Object.entries(raw)
    .map(([name, value]) => (/^(operand|type|condition)$/.test(name) ? `${name}=${value}` : name))
    .join(", ");

/** The judgements on the longest page, which is kept. */
function* whole(list: Listed, answer: ExplorerResponse): Judgements {
  yield* success(list.operation, answer);
  list.full = answerLists(answer);
  for (const part of list.full) yield* inOrder(list.operation, part);
  const counted = recordsIn(list).filter(({ confirmations }) => confirmations != null);
  const lags = counted.some(
    (one) => Number(one.confirmations) + Number(one.block_number) < list.sample.head,
  );
  if (counted.length > 0) yield rule("S13", "confirmations", "head - block_number", lags && "less");
}

/** What identifies records, as text. */
const keysOf = ({ list }: AnyOperation, records: readonly Row[]): readonly string[] =>
  records.map((record) => JSON.stringify((list?.identity ?? []).map((name) => record[name])));

/** The judgements on a page: its length or where it begins, and the count. */
function* sliced(
  { operation, full, isWhole }: Listed,
  answer: ExplorerResponse,
  offset: number,
  limit: number,
): Judgements {
  yield* success(operation, answer);
  for (const { name, count, records } of answerLists(answer)) {
    const all = full.find((one) => one.name === name)?.records ?? [];
    const keys = `${keysOf(operation, records)}`;
    const isFrom = (start: number) =>
      `${keysOf(operation, all.slice(start, start + limit))}` === keys;
    const { length } = records;
    const expected = `at most ${limit} records, and all up to there`;
    if (offset === 0)
      yield rule(
        SPECIFIED,
        fieldWithin(name, `length at limit ${limit}`),
        expected,
        length !== Math.min(limit, all.length) && `${length} records of ${all.length}`,
      );
    else if (all.length > offset) {
      const inPages = isFrom(offset * limit) && "the number of pages to skip";
      const received = isFrom(0) ? "ignored" : inPages || "other records";
      const is = !isFrom(offset) && received;
      yield rule(SPECIFIED, fieldWithin(name, "offset"), "the number of records to skip", is);
    }
    if (all.length === 0 || all.length === length) continue;
    const total = Number(count ?? Number.NaN);
    const isTotal = isWhole ? total === all.length : total >= all.length;
    const other = total === length ? "the length of the page" : `${count} of ${all.length}`;
    const ofAll = "the number of all records";
    yield rule("S3", fieldWithin(name, "count"), ofAll, !isTotal && other);
  }
}

/** The judgements on a list that is to have no records. */
function* empty(
  operation: AnyOperation,
  answer: ExplorerResponse,
  decision: string,
  field: string,
): Judgements {
  const { status } = answer;
  yield rule(decision, "HTTP status of an empty list", "200", status !== 200 && `${status}`);
  if (status !== 200) return;
  yield* success(operation, answer);
  for (const { name, count, records } of answerLists(answer)) {
    const { length } = records;
    yield rule(decision, fieldWithin(name, field), "empty", length > 0 && `${length} records`);
    if (decision === "S6")
      yield rule(
        "S6",
        fieldWithin(name, "count of an empty list"),
        '"0"',
        `${count}` !== "0" && `${count}`,
      );
  }
}

/** The judgements on a filtered list: every record that remains of the longest page, and no other. */
function* filtered(list: Listed, answer: ExplorerResponse, filter: Filter): Judgements {
  yield* success(list.operation, answer);
  const { keeps, received: [beyond, missing] = ["other records, too", "not all of them"] } = filter;
  const records = recordsOf(answer);
  const found = new Set(keysOf(list.operation, records));
  const isMissing = keysOf(list.operation, recordsIn(list).filter(keeps)).some(
    (key) => !found.has(key),
  );
  const received = records.some((record) => keeps(record) === false)
    ? beyond
    : isMissing && missing;
  yield rule(filter.rule, filter.field, filter.expected, received);
}

/** With `input=true` each record has the field, and without it none (S8). */
function* inputQuestions(
  list: Listed,
  about: (asked: string, raw: Raw, judge: Question["judge"]) => Question,
): Generator<Question> {
  const has = (record: Row) => "input" in record;
  yield about("input=true", { input: true, limit: 10 }, function* (answer) {
    const isThere = recordsOf(answer).every(has);
    yield rule("S8", "field input", "in each record", !isThere && "missing");
    const unasked = recordsIn(list).some(has);
    yield rule("S8", "field input, unasked", "absent", unasked && "there");
  });
}
