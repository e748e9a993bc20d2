// The questions about a list: pages, order, count, offset, ranges of blocks, and the forms and filters that some lists have.
import { mistakeIn, situations } from "../../../mocks/double/profile/mistakes.ts";
import type { ListHabits } from "../../../mocks/double/profile/profile.ts";
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import { type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import {
  type AnswerList,
  answerLists,
  fieldWithin,
  identityIn,
  inOrder,
  type Judgements,
  judgeRefusal,
  type Learned,
  pageLength,
  recordsOf,
  resultsOf,
  rule,
  SPECIFIED,
  success,
  unless,
} from "./judge.ts";
import { type Question, question } from "./question.ts";
import { NO_ADDRESS, NO_HASH, type Sample } from "./sample.ts";

/** Beyond the end of every list. */
const BEYOND = 100_000_000;

/** What an explorer ignores that has records where there are none. */
function ignoredAt(situation: string): Learned | undefined {
  if (situation === situations.beyondEnd) return { list: { offset: "ignored" } };
  return situation === situations.emptyRange ? { list: { startBlock: "ignored" } } : undefined;
}

/** The questions of one list, whose answers are compared with the longest page of it. */
class ListInterview {
  readonly operation: AnyOperation;
  readonly subject: Raw;
  readonly sample: Sample;
  readonly max: number;
  /** The longest page. */
  full: readonly AnswerList[] = [];
  /** Whether it holds the whole list. */
  isWhole = false;
  /** Asks for the longest page. */
  readonly reference: Question;

  constructor(operation: AnyOperation, subject: Raw, sample: Sample) {
    this.operation = operation;
    this.subject = subject;
    this.sample = sample;
    this.max = operation.list?.maxLimit ?? limits.max;
    this.reference = this.ask(`limit=${this.max}`, { limit: this.max }, (answer) =>
      this.#longest(answer),
    );
  }

  ask(asked: string, raw: Raw, judge: Question["judge"], reference?: Question): Question {
    const message = requestFor(this.operation, { ...this.subject, ...raw });
    return question(this.operation, asked, message, judge, reference);
  }

  /** A question whose answer is compared with the longest page. */
  compared(asked: string, raw: Raw, judge: Question["judge"]): Question {
    return this.ask(asked, raw, judge, this.reference);
  }

  refusal(asked: string, raw: Raw, decision: string): Question {
    const situation = mistakeIn(this.operation, { ...this.subject, ...raw })?.name ?? "";
    return this.ask(asked, raw, (answer) => judgeRefusal(400, decision, answer, situation));
  }

  /** The records of the longest page of a list. */
  all(name = ""): readonly Row[] {
    return this.full.find((one) => one.name === name)?.records ?? [];
  }

  *#longest(answer: ExplorerResponse): Judgements {
    yield* success(this.operation, answer);
    this.full = answerLists(answer);
    for (const part of this.full) yield* inOrder(this.operation, part);
  }

  *pages(): Generator<Question> {
    const { operation, max } = this;
    yield this.reference;
    const longest = Math.max(...this.full.map(({ records }) => records.length), 0);
    yield this.compared("the page after the longest", { limit: 1, offset: longest }, (answer) =>
      this.#after(answer, longest),
    );
    yield this.compared("no parameters", {}, (answer) => this.#page(answer, limits.default));
    yield this.compared("limit=1", { limit: 1 }, (answer) => this.#page(answer, 1));
    yield this.compared("limit=2, offset=1", { limit: 2, offset: 1 }, (answer) =>
      this.#offset(answer),
    );
    yield this.ask("offset beyond the end", { offset: BEYOND }, (answer) =>
      this.#empty(answer, SPECIFIED, situations.beyondEnd),
    );
    yield this.refusal(`limit=${max + 1}`, { limit: max + 1 }, "S5");
    yield this.refusal("limit=0", { limit: 0 }, "S5");
    yield this.refusal("limit=x", { limit: "x" }, "S5");
    yield this.refusal("offset=-1", { offset: -1 }, "S5");
    yield this.refusal("limit twice", { limit: [1, 2] }, "S20");
    const name = operation.places.path[0] ?? "address";
    if (operation.finality === undefined)
      yield this.ask("an unknown address", { [name]: NO_ADDRESS }, (answer) =>
        this.#empty(answer, "S6", situations.emptyList),
      );
    yield this.ask("an unknown parameter", { limit: 1, colour: "red" }, function* (answer) {
      const { status } = answer;
      yield rule(
        "S5",
        "unknown parameters",
        "ignored",
        unless(status === 200, () => `${status}`),
      );
    });
  }

  *#page(answer: ExplorerResponse, limit: number): Judgements {
    yield* success(this.operation, answer);
    for (const part of answerLists(answer)) {
      const whole = this.all(part.name).length;
      yield* pageLength(part, limit, whole);
      if (whole === 0 || whole === part.records.length) continue;
      const { count } = part;
      const total = Number(count ?? Number.NaN);
      const isOfPage = `${count}` === `${part.records.length}`;
      const received = unless(this.isWhole ? total === whole : total >= whole, () =>
        isOfPage ? "the length of the page" : `${count} of ${whole}`,
      );
      const list: ListHabits | undefined =
        received === undefined
          ? { ...(this.isWhole && { count: "list" as const }) }
          : isOfPage
            ? { count: "page" }
            : undefined;
      const learned = list && { list };
      yield rule(
        "S3",
        fieldWithin(part.name, "count"),
        "the number of all records",
        received,
        learned,
      );
    }
  }

  *#after(answer: ExplorerResponse, longest: number): Judgements {
    yield* success(this.operation, answer, { situation: situations.beyondEnd });
    const { length } = recordsOf(answer);
    this.isWhole = answer.status === 200 && length === 0;
    const isEnd = longest >= this.max || length === 0;
    const expected = `${this.max} records on a page, or all`;
    yield rule(
      SPECIFIED,
      "longest page",
      expected,
      unless(isEnd, () => `${longest} records`),
      isEnd ? undefined : { list: { largestPage: longest } },
    );
  }

  *#offset(answer: ExplorerResponse): Judgements {
    yield* success(this.operation, answer);
    for (const { name, records } of answerLists(answer)) {
      const all = this.all(name);
      if (all.length < 2) continue;
      const isFrom = (start: number) => this.#same(records, all.slice(start, start + 2));
      const [offset, received] = isFrom(1)
        ? (["records"] as const)
        : isFrom(0)
          ? (["ignored", "ignored"] as const)
          : isFrom(2)
            ? (["pages", "the number of pages to skip"] as const)
            : [undefined, "other records"];
      const learned = offset && { list: { offset } };
      yield rule(
        SPECIFIED,
        fieldWithin(name, "offset"),
        "the number of records to skip",
        received,
        learned,
      );
    }
  }

  #same(one: readonly Row[], other: readonly Row[]): boolean {
    const keys = identityIn(this.operation);
    return one.map(keys).join() === other.map(keys).join();
  }

  *#empty(answer: ExplorerResponse, decision: string, situation: string): Judgements {
    const { status } = answer;
    yield rule(
      decision,
      "HTTP status of an empty list",
      "200",
      unless(status === 200, () => `${status}`),
      { situation, status: 200, answer },
    );
    if (status !== 200) return;
    yield* success(this.operation, answer);
    for (const { name, count, records } of answerLists(answer)) {
      const { length } = records;
      const field = fieldWithin(
        name,
        decision === "S6" ? "list of an unknown address" : "beyond the end",
      );
      yield rule(
        decision,
        field,
        "empty",
        unless(length === 0, () => `${length} records`),
        length === 0 ? undefined : ignoredAt(situation),
      );
      if (decision === "S6")
        yield rule(
          "S6",
          fieldWithin(name, "count of an empty list"),
          '"0"',
          unless(`${count}` === "0", () => `${count}`),
        );
    }
  }

  /** The block of a record: its own field, or that of the same transaction in another list. */
  #blockOf = ({ block_number, transaction_hash }: Row): number => {
    const known = block_number ?? this.sample.blocks.get(`${transaction_hash}`);
    return known === undefined ? Number.NaN : Number(known);
  };

  *ranges(): Generator<Question> {
    const known = this.all().map(this.#blockOf);
    const blocks = [...new Set(known.filter((one) => !Number.isNaN(one)))].sort((a, b) => a - b);
    yield this.refusal("startBlock after endBlock", { startBlock: 9, endBlock: 8 }, "S5");
    yield this.refusal("startBlock=x", { startBlock: "x" }, "S5");
    yield this.refusal("endBlock=-1", { endBlock: -1 }, "S5");
    yield this.ask(
      "startBlock beyond the head",
      { startBlock: this.sample.head + BEYOND },
      (answer) => this.#empty(answer, SPECIFIED, situations.emptyRange),
    );
    const middle = Math.max(1, Math.floor(blocks.length / 2));
    const [first, last] = [blocks[middle - 1], blocks[middle]];
    if (first === undefined || last === undefined) return;
    const ask = (asked: string, startBlock: number | undefined, endBlock: number | undefined) =>
      this.ask(asked, { startBlock, endBlock, limit: this.max }, (answer) =>
        this.#range(answer, startBlock, endBlock),
      );
    yield ask("startBlock, endBlock", first, last);
    yield ask("startBlock alone", last, undefined);
    yield ask("endBlock alone", undefined, first);
  }

  /** Whether records of the blocks at both ends are there, and none beyond. */
  *#range(
    answer: ExplorerResponse,
    first: number | undefined,
    last: number | undefined,
  ): Judgements {
    yield* success(this.operation, answer);
    const blocks = recordsOf(answer).map(this.#blockOf);
    // A page that is full may end before a block comes.
    const isWhole = blocks.length < this.all().length;
    const end = (
      name: "startBlock" | "endBlock",
      block: number | undefined,
      isBeyond: (one: number) => boolean,
    ) => {
      if (block === undefined) return [];
      const isIgnored = blocks.some(isBeyond);
      const isOut = isWhole && !blocks.includes(block);
      const received = isIgnored ? "ignored" : isOut ? "exclusive" : undefined;
      // Of a full page nothing is known unless the block is there.
      const known = received ?? (blocks.includes(block) ? "inclusive" : undefined);
      const list = { [name]: known };
      return [rule("S5", name, "inclusive", received, known && { list })];
    };
    yield* end("startBlock", first, (one) => one < Number(first));
    yield* end("endBlock", last, (one) => one > Number(last));
  }

  /** With `input=true` each record has the field, and without it none (S8). */
  *inputs(): Generator<Question> {
    const records = this.all();
    yield this.ask("input=true", { input: true, limit: 10 }, function* (this: void, answer) {
      const found = recordsOf(answer);
      const has = found.every((one) => "input" in one);
      yield rule(
        "S8",
        "field input",
        "in each record",
        unless(has, () => "missing"),
        has ? undefined : { list: { input: "never" } },
      );
      const absent = records.every((one) => !("input" in one));
      yield rule(
        "S8",
        "field input, unasked",
        "absent",
        unless(absent, () => "there"),
        absent ? undefined : { list: { input: "always" } },
      );
    });
    yield this.refusal("input=maybe", { input: "maybe" }, "S1");
  }

  *transactions(): Generator<Question> {
    const { operation, subject } = this;
    yield this.ask("simple=true", { simple: true }, function* (answer) {
      yield* success(operation, answer, { simple: true });
      const { to_block } = Object(resultsOf(answer));
      yield rule(
        "S10",
        "to_block",
        "the last block covered",
        unless(/^\d+$/.test(`${to_block}`), () => `${to_block}`),
      );
    });
    yield this.refusal("simple=True", { simple: "True" }, "S29");
    const own = String(subject.address_hash).toLowerCase();
    const roles = { from: "sender", to: "receiver" } as const;
    for (const [condition, field] of Object.entries(roles))
      yield this.ask(`condition=${condition}`, { condition }, function* (answer) {
        yield* success(operation, answer);
        const others = recordsOf(answer).filter((one) => `${one[field]}`.toLowerCase() !== own);
        const kept = others.length === 0;
        yield rule(
          "S9",
          `condition=${condition}`,
          `${field} is the address`,
          unless(kept, () => "other transactions"),
          kept ? undefined : { list: { ignoredConditions: [condition] } },
        );
      });
    yield this.ask("condition=contract", { condition: "contract" }, (answer) =>
      success(operation, answer),
    );
    yield this.refusal("condition=other", { condition: "other" }, "S1");
    yield this.refusal("condition=ALL", { condition: "ALL" }, "S29");
  }

  /** Blocks after the newest have confirmed each record (S13). */
  *confirmations(): Generator<Question> {
    const { head } = this.sample;
    yield this.ask("confirmations", { limit: 20 }, function* (answer) {
      const lag = Math.max(
        0,
        ...recordsOf(answer).map(({ confirmations, block_number }) =>
          confirmations === null ? 0 : head - Number(confirmations) - Number(block_number),
        ),
      );
      yield rule(
        "S13",
        "confirmations",
        "head - block_number",
        unless(lag === 0, () => "less"),
        lag > 0 ? { list: { confirmationsLag: lag } } : undefined,
      );
    });
  }

  *logs(): Generator<Question> {
    const topic_0 = String(this.all().find((one) => one.topic_0)?.topic_0 ?? NO_HASH);
    const two = this.all().find((one) => one.topic_0 && one.topic_1);
    const topic_1 = String(two?.topic_1 ?? NO_HASH);
    const having = (asked: string, raw: Raw, has: (log: Row) => boolean) =>
      this.ask(asked, { ...raw, limit: this.max }, (answer) => this.#filtered(answer, has));
    yield having("topic_0", { topic_0 }, (log) => log.topic_0 === topic_0);
    const both = (log: Row) => log.topic_0 === topic_0 && log.topic_1 === topic_1;
    yield having("topic_0, topic_1", { topic_0, topic_1 }, both);
    yield having(
      "operand=or",
      { topic_0, topic_1, operand: "or" },
      (log) => log.topic_0 === topic_0 || log.topic_1 === topic_1,
    );
    yield having(
      "type=single",
      { topic_0, topic_1: NO_HASH, type: "single" },
      (log) => log.topic_0 === topic_0,
    );
    for (const type of ["conbine", "combine"])
      yield having(`type=${type}`, { topic_0, topic_1, type }, both);
    yield this.refusal("type=other", { type: "other" }, "S1");
    yield this.refusal("operand=xor", { operand: "xor" }, "S1");
    yield this.refusal("a malformed topic", { topic_0: "0x12" }, "S1");
  }

  *#filtered(answer: ExplorerResponse, has: (log: Row) => boolean): Judgements {
    yield* success(this.operation, answer);
    const records = recordsOf(answer);
    const expected = this.all().filter(has).length;
    const kept = records.every(has) && records.length >= expected;
    yield rule(
      "S15",
      "filter by topics",
      "the logs with these topics",
      unless(kept, () =>
        records.every(has) ? `${records.length} of ${expected} logs` : "other logs, too",
      ),
    );
  }
}

/** Every question about a list. */
export function* listQuestions(
  operation: AnyOperation,
  subject: Raw,
  sample: Sample,
): Generator<Question> {
  const interview = new ListInterview(operation, subject, sample);
  const has = (name: string) => operation.places.query.includes(name);
  yield* interview.pages();
  if (has("startBlock")) yield* interview.ranges();
  if (has("input")) yield* interview.inputs();
  if (has("simple")) yield* interview.transactions();
  if (has("topic_0")) yield* interview.logs();
  if (interview.all().some((one) => "confirmations" in one)) yield* interview.confirmations();
}
