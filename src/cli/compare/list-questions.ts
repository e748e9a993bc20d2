// What an explorer is asked about a list: what each parameter leaves of its longest page, as data.
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import { type AskedRequest, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import * as judge from "./judge.ts";
import { type AnswerList, type Judgements, recordsOf, rule, SPECIFIED, success } from "./judge.ts";
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
export function aboutOf(operation: AnyOperation, subject: Raw) {
  /** With these parameters, and these changes to the request. */
  const question = (asked: string, raw: Raw, judge: Question["judge"], changes = {}): Question => {
    const message = { ...requestFor(operation, { ...subject, ...raw }), ...changes };
    return { id: operation.id, asked, message, judge };
  };
  return {
    ...{ operation, subject, question },
    /** One that is to succeed, with more to judge of its records. */
    success: (
      asked: string,
      raw: Raw,
      more: (records: readonly Row[], answer: ExplorerResponse) => Judgements = () => [],
    ) =>
      question(asked, raw, function* (answer) {
        yield* success(operation, answer, raw.simple === true);
        if (answer.status === 200) yield* more(recordsOf(answer), answer);
      }),
    /** One that is to be refused. */
    refused: (asked: string, raw: Raw, status: number, decision: string, changes = {}) =>
      question(asked, raw, (it) => judge.refusal(operation, it, status, decision), changes),
  };
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

type Keeps = (record: Row) => boolean | undefined;
const all: Keeps = () => true;
const none: Keeps = () => false;

/** Parameters without values of the chain: `topic_0, operand=or`. */
const askedIn = (raw: Raw): string =>
  Object.entries(raw)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      /^(limit|offset|operand|type|condition)$/.test(name) ? `${name}=${value}` : name,
    )
    .join(", ") || "no parameters";

/** What parameters leave of the longest page: the records that `keeps` returns true for, undefined for one that does not say. */
const variation = (
  decision: string,
  field: string,
  expected: string,
  raw: Raw,
  keeps = all,
  asked = askedIn(raw),
) => ({ rule: decision, field, expected, raw, keeps, asked });
type Variation = ReturnType<typeof variation>;

const same = (one: unknown, other: unknown) => `${one}`.toLowerCase() === `${other}`.toLowerCase();
const recordsIn = ({ full }: Listed): readonly Row[] => full.flatMap(({ records }) => records);

/** What the parameters of every page leave. */
const slices = [undefined, 1].map((limit) => {
  const field = `length at limit ${limit ?? limits.default}`;
  const expected = `at most ${limit ?? limits.default} records, and all up to there`;
  return variation(SPECIFIED, field, expected, { limit });
});

/** What each parameter leaves of a list, and what it leaves of one where nothing fits. */
const variations: Readonly<Record<string, (list: Listed) => readonly Variation[]>> = {
  limit: () => slices,
  offset: () => {
    const beyond = { offset: BEYOND };
    return [
      variation(SPECIFIED, "offset", "the number of records to skip", { limit: 2, offset: 1 }),
      variation(SPECIFIED, "beyond the end", "empty", beyond, none, "offset beyond the end"),
    ];
  },
  startBlock: (list) => {
    const raw = { startBlock: list.sample.head + BEYOND };
    return [
      variation(SPECIFIED, "beyond the head", "empty", raw, none, "startBlock beyond the head"),
      ...range(list, "startBlock", (block, bound) => block >= bound),
    ];
  },
  endBlock: (list) => range(list, "endBlock", (block, bound) => block <= bound),
  condition: ({ about: { subject } }) =>
    Object.entries({ from: "sender", to: "receiver" }).map(([condition, field]) => {
      const keeps: Keeps = (record) => same(record[field], subject.address_hash);
      const expected = `${field} is the address`;
      return variation("S9", `condition=${condition}`, expected, { condition }, keeps);
    }),
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
    return Array.from(asked, ([raw, keeps]) =>
      variation("S15", "filter by topics", "the logs with these topics", raw, keeps),
    );
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
  const keeps: Keeps = (record) =>
    Number.isNaN(blockOf(record)) ? undefined : isWithin(blockOf(record), bound);
  return [variation("S5", name, "inclusive", { [name]: bound }, keeps)];
}

/** Every question about a list. */
export function* listQuestions(about: About, sample: Sample): Generator<Question> {
  const { operation } = about;
  const { query, path } = operation.places;
  const max = operation.list?.maxLimit ?? limits.max;
  const list: Listed = { about, sample, full: [], isWhole: false };
  const reference = about.success(`limit=${max}`, { limit: max }, (_, answer) => {
    list.full = judge.answerLists(answer);
    return longest(list);
  });
  yield reference;
  const offset = Math.max(...list.full.map(({ records }) => records.length), 0);
  const next = about.success("the page after the longest", { limit: 1, offset }, ({ length }) => {
    list.isWhole = length === 0;
    const isEnd = offset >= max || length === 0;
    const expected = `${max} records on a page, or all`;
    return [rule(SPECIFIED, "longest page", expected, !isEnd && `${offset} records`)];
  });
  yield { ...next, reference };
  const unknown = { [path[0] ?? "address"]: NO_ADDRESS };
  const field = "list of an unknown address";
  if (!operation.finality)
    yield varied(variation("S6", field, "empty", unknown, none, "an unknown address"));
  for (const name of query) for (const one of variations[name]?.(list) ?? []) yield varied(one);
  yield about.question("an unknown parameter", { limit: 1, colour: "red" }, ({ status }) => [
    rule("S5", "unknown parameters", "ignored", status !== 200 && `${status}`),
  ]);
  yield about.refused("limit twice", { limit: [1, 2] }, 400, "S20");
  if (query.includes("startBlock"))
    yield about.refused("startBlock after endBlock", { startBlock: 9, endBlock: 8 }, 400, "S5");
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
    yield about.success("simple=true", { simple: true }, (_, answer) => {
      const { to_block } = Object(judge.resultsOf(answer));
      const isBlock = /^\d+$/.test(`${to_block}`);
      return [rule("S10", "to_block", "the last block covered", !isBlock && `${to_block}`)];
    });

  function varied(one: Variation): Question {
    const isFiltered = one.keeps !== all && one.keeps !== none;
    const raw = isFiltered ? { ...one.raw, limit: max } : one.raw;
    return { ...about.question(one.asked, raw, (it) => remaining(list, it, one)), reference };
  }
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
    const wanted = keeps === all ? whole.slice(offset, offset + limit) : whole.filter(keeps);
    const keys = new Set(records.map(keyOf));
    const isMissing = wanted.some((record) => !keys.has(keyOf(record)));
    const isOther =
      keeps === all
        ? records.length > limit || (offset > 0 && keyOf(records[0]) !== keyOf(wanted[0]))
        : records.some((record) => keeps(record) === false);
    const isIgnored =
      records.length > 0 && records.every((one, at) => keyOf(one) === keyOf(whole[at]));
    const others = `${records.length} records, ${isOther ? "others, too" : "not all of them"}`;
    const received = (isMissing || isOther) && (isIgnored ? "ignored" : others);
    yield rule(decision, judge.fieldIn(part, field), expected, received);
    if (decision === "S6") {
      const name = judge.fieldIn(part, "count of an empty list");
      yield rule("S6", name, '"0"', `${count}` !== "0" && `${count}`);
    }
    if (keeps !== all || whole.length === 0 || whole.length === records.length) continue;
    const isTotal = list.isWhole ? Number(count) === whole.length : Number(count) >= whole.length;
    const other = !isTotal && `${count} of ${whole.length}`;
    yield rule("S3", judge.fieldIn(part, "count"), "the number of all records", other);
  }
}
