// What an explorer is asked about a list: what each parameter leaves of its longest page, as data.
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import { type AskedRequest, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import {
  type AnswerList,
  answerLists,
  fieldIn,
  hasStatus,
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

/** The questions about one operation, each a variation of one that has an answer. */
export class About {
  readonly operation: AnyOperation;
  readonly subject: Raw;

  constructor(operation: AnyOperation, subject: Raw) {
    this.operation = operation;
    this.subject = subject;
  }

  /** With these parameters, and these changes to the request. */
  ask(asked: string, raw: Raw, judge: Question["judge"], changes: object = {}): Question {
    const message = { ...requestFor(this.operation, { ...this.subject, ...raw }), ...changes };
    return { id: this.operation.id, asked, message, judge };
  }

  /** One that is to be refused. */
  refused(asked: string, raw: Raw, status: number, decision: string, changes = {}): Question {
    const judge = (answer: ExplorerResponse) => refusal(this.operation, answer, status, decision);
    return this.ask(asked, raw, judge, changes);
  }
}

/** A list that is asked about, and the longest page of it, from which every other answer follows. */
interface Listed {
  readonly about: About;
  readonly sample: Sample;
  full: readonly AnswerList[];
  /** Whether the longest page holds the whole list. */
  isWhole: boolean;
}

/** What parameters leave of the longest page. */
interface Variation {
  readonly raw: Raw;
  /** @default the parameters */
  readonly asked?: string;
  /** The decision, and the field of a difference. */
  readonly rule: string;
  readonly field: string;
  readonly expected: string;
  /** The records that remain; undefined of one that does not say. @default all of them */
  readonly keeps?: (record: Row) => boolean | undefined;
}

const all = () => true;
const none = () => false;
const same = (one: unknown, other: unknown) => `${one}`.toLowerCase() === `${other}`.toLowerCase();
const recordsIn = ({ full }: Listed): readonly Row[] => full.flatMap(({ records }) => records);

const empty = (asked: string, raw: Raw, decision: string, field: string): Variation[] => [
  { raw, asked, rule: decision, field, expected: "empty", keeps: none },
];

/** What the parameters of every page leave. */
const slices = [undefined, 1].map((limit) => ({
  raw: { limit },
  rule: SPECIFIED,
  field: `length at limit ${limit ?? limits.default}`,
  expected: `at most ${limit ?? limits.default} records, and all up to there`,
}));

/** What each parameter leaves of a list, and what it leaves of one where nothing fits. */
const variations: Readonly<Record<string, (list: Listed) => readonly Variation[]>> = {
  limit: () => slices,
  offset: () => [
    {
      ...{ raw: { limit: 2, offset: 1 }, rule: SPECIFIED, field: "offset" },
      expected: "the number of records to skip",
    },
    ...empty("offset beyond the end", { offset: BEYOND }, SPECIFIED, "beyond the end"),
  ],
  startBlock: (list) => [
    ...empty(
      "startBlock beyond the head",
      { startBlock: list.sample.head + BEYOND },
      SPECIFIED,
      "beyond the head",
    ),
    ...range(list, "startBlock", (block, bound) => block >= bound),
  ],
  endBlock: (list) => range(list, "endBlock", (block, bound) => block <= bound),
  condition: ({ about: { subject } }) =>
    Object.entries({ from: "sender", to: "receiver" }).map(([condition, field]) => ({
      raw: { condition },
      ...{ rule: "S9", field: `condition=${condition}`, expected: `${field} is the address` },
      keeps: (record) => same(record[field], subject.address_hash),
    })),
  topic_0(list) {
    const records = recordsIn(list);
    const { topic_0 = NO_HASH } = records.find((one) => one.topic_0) ?? {};
    const { topic_1 = NO_HASH } = records.find((one) => one.topic_0 && one.topic_1) ?? {};
    const first = (log: Row) => same(log.topic_0, topic_0);
    const second = (log: Row) => same(log.topic_1, topic_1);
    const both = (log: Row) => first(log) && second(log);
    const asked = new Map<Raw, (log: Row) => boolean>([
      [{ topic_0 }, first],
      [{ topic_0, topic_1 }, both],
      [{ topic_0, topic_1, operand: "or" }, (log) => first(log) || second(log)],
      [{ topic_0, topic_1: NO_HASH, type: "single" }, first],
      [{ topic_0, topic_1, type: "conbine" }, both],
      [{ topic_0, topic_1, type: "combine" }, both],
    ]);
    const expected = "the logs with these topics";
    const judged = { rule: "S15", field: "filter by topics", expected };
    return Array.from(asked, ([raw, keeps]) => ({ raw, keeps, ...judged }));
  },
};

/** The range that begins or ends in the middle of the blocks that a list has. */
function range(
  list: Listed,
  name: "startBlock" | "endBlock",
  isWithin: (block: number, bound: number) => boolean,
): Variation[] {
  const blockOf = ({ block_number, transaction_hash }: Row) =>
    Number(block_number ?? list.sample.blocks.get(`${transaction_hash}`) ?? Number.NaN);
  const found = new Set(recordsIn(list).map(blockOf));
  const blocks = [...found].filter((one) => one >= 0).sort((one, other) => one - other);
  const bound = blocks[Math.floor(blocks.length / 2)];
  if (bound === undefined || blocks.length < 2) return [];
  const keeps = (record: Row) =>
    Number.isNaN(blockOf(record)) ? undefined : isWithin(blockOf(record), bound);
  return [{ raw: { [name]: bound }, rule: "S5", field: name, expected: "inclusive", keeps }];
}

/** Parameters without values of the chain: `topic_0, operand=or`. */
const askedIn = (raw: Raw): string =>
  Object.entries(raw)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      /^(limit|offset|operand|type|condition)$/.test(name) ? `${name}=${value}` : name,
    )
    .join(", ") || "no parameters";

/** Every question about a list. */
export function* listQuestions(about: About, sample: Sample): Generator<Question> {
  const { operation } = about;
  const { query, path } = operation.places;
  const max = operation.list?.maxLimit ?? limits.max;
  const list: Listed = { about, sample, full: [], isWhole: false };
  const reference = about.ask(`limit=${max}`, { limit: max }, (answer) => longest(list, answer));
  yield reference;
  const offset = Math.max(...list.full.map(({ records }) => records.length), 0);
  const next = about.ask("the page after the longest", { limit: 1, offset }, function* (answer) {
    yield* success(operation, answer);
    list.isWhole = answer.status === 200 && recordsOf(answer).length === 0;
    const isEnd = offset >= max || recordsOf(answer).length === 0;
    const expected = `${max} records on a page, or all`;
    yield rule(SPECIFIED, "longest page", expected, !isEnd && `${offset} records`);
  });
  yield { ...next, reference };
  const unknown = { [path[0] ?? "address"]: NO_ADDRESS };
  const found = [
    ...(operation.finality
      ? []
      : empty("an unknown address", unknown, "S6", "list of an unknown address")),
    ...query.flatMap((name) => variations[name]?.(list) ?? []),
  ];
  for (const one of found) {
    const raw = one.keeps && one.keeps !== none ? { ...one.raw, limit: max } : one.raw;
    const judge = (answer: ExplorerResponse) => remaining(list, answer, one);
    yield { ...about.ask(one.asked ?? askedIn(one.raw), raw, judge), reference };
  }
  yield about.ask("an unknown parameter", { limit: 1, colour: "red" }, function* ({ status }) {
    yield rule("S5", "unknown parameters", "ignored", status !== 200 && `${status}`);
  });
  yield about.refused("limit twice", { limit: [1, 2] }, 400, "S20");
  if (query.includes("startBlock"))
    yield about.refused("startBlock after endBlock", { startBlock: 9, endBlock: 8 }, 400, "S5");
  // With `input=true` each record has the field, and without it none (S8).
  if (query.includes("input"))
    yield about.ask("input=true", { input: true, limit: 10 }, function* (answer) {
      const isThere = recordsOf(answer).every((record) => "input" in record);
      yield rule("S8", "field input", "in each record", !isThere && "missing");
      const isUnasked = recordsIn(list).some((record) => "input" in record);
      yield rule("S8", "field input, unasked", "absent", isUnasked && "there");
    });
  if (query.includes("simple"))
    yield about.ask("simple=true", { simple: true }, function* (answer) {
      yield* success(operation, answer, true);
      const { to_block } = Object(resultsOf(answer));
      const isBlock = /^\d+$/.test(`${to_block}`);
      yield rule("S10", "to_block", "the last block covered", !isBlock && `${to_block}`);
    });
}

/** The judgements on the longest page, which is kept. */
function* longest(list: Listed, answer: ExplorerResponse): Judgements {
  const { operation } = list.about;
  yield* success(operation, answer);
  list.full = answerLists(answer);
  for (const part of list.full) yield* inOrder(operation, part);
  const heads = recordsIn(list).flatMap(({ confirmations, block_number }) =>
    confirmations == null ? [] : [Number(confirmations) + Number(block_number)],
  );
  const lags = heads.some((head) => head < list.sample.head);
  if (heads.length > 0) yield rule("S13", "confirmations", "head - block_number", lags && "less");
}

/** The judgements on what parameters leave: every record that remains of the longest page, no other, and the count. */
function* remaining(list: Listed, answer: ExplorerResponse, variation: Variation): Judgements {
  const { operation } = list.about;
  const { raw, rule: decision, field, expected, keeps = all } = variation;
  const { offset = 0, limit = limits.default }: { offset?: number; limit?: number } = raw;
  if (keeps === none) {
    yield { ...hasStatus(decision, 200, answer), field: "HTTP status of an empty list" };
    if (answer.status !== 200) return;
  }
  yield* success(operation, answer);
  const keyOf = (record: Row) =>
    JSON.stringify(operation.list?.identity.map((name) => record[name]));
  for (const part of answerLists(answer)) {
    const { records, count } = part;
    const { length } = records;
    const whole = list.full.find(({ name }) => name === part.name)?.records ?? [];
    const isFiltered = keeps !== all;
    const remains = whole.filter(keeps);
    const wanted = isFiltered ? remains : remains.slice(offset, offset + limit);
    const keys = new Set(records.map(keyOf));
    const isMissing = wanted.some((record) => !keys.has(keyOf(record)));
    const [begins, beginning] = [records, wanted].map(([first]) => first && keyOf(first));
    const isOther = isFiltered
      ? records.some((record) => keeps(record) === false)
      : offset > 0 && begins !== beginning;
    const isBeyond = !isFiltered && length > limit;
    const isIgnored =
      length > 0 && records.every((one, at) => keyOf(one) === keyOf(whole[at] ?? {}));
    const received =
      (isMissing || isOther || isBeyond) &&
      (isIgnored
        ? "ignored"
        : isOther
          ? "other records, too"
          : `${length} records, not all of them`);
    yield rule(decision, fieldIn(part, field), expected, received);
    const total = Number(count ?? Number.NaN);
    if (decision === "S6")
      yield rule(
        "S6",
        fieldIn(part, "count of an empty list"),
        '"0"',
        `${count}` !== "0" && `${count}`,
      );
    if (isFiltered || whole.length === 0 || whole.length === length) continue;
    const isTotal = list.isWhole ? total === whole.length : total >= whole.length;
    const other = total === length ? "the length of the page" : `${count} of ${whole.length}`;
    yield rule("S3", fieldIn(part, "count"), "the number of all records", !isTotal && other);
  }
}
