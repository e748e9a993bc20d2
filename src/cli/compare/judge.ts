// Judges an answer: each rule of the specification or of a decision that it shows, kept or not.
import { responseDepartures } from "../../../mocks/double/service/conformance.ts";
import { isEnvelope, RESULTS, readEnvelope } from "../../contract/envelope.ts";
import type { AnyOperation } from "../../contract/index.ts";
import { identities } from "../../contract/lists.ts";
import { describe, isObject } from "../../models/issues.ts";
import { type Row, rowsOf } from "../records.ts";
import type { ExplorerResponse } from "./ask.ts";

/** A rule that an answer keeps; with `received`, one that it does not. */
export interface Judgement {
  /** `specified`, the number of a decision, or `node`. */
  readonly rule: string;
  /** What it is about: `order`, `HTTP status`, `data[].value`. */
  readonly field: string;
  readonly expected: string;
  readonly received?: string | undefined;
  /** The decision by which the client reads it anyway. */
  readonly reads?: string | undefined;
}

export type Judgements = Iterable<Judgement>;

/** The rule that comes from the specification itself. */
export const SPECIFIED = "specified";

/** A judgement: kept if `received` is undefined. */
export const rule = (
  rule: string,
  field: string,
  expected: string,
  received?: string | false,
): Judgement => ({ rule, field, expected, received: received === false ? undefined : received });

/** The results in a body, with or without an envelope. */
export const resultsOf = ({ json }: ExplorerResponse): unknown =>
  isEnvelope(json) ? json[RESULTS] : json;

/** A list of an answer, with its count: the only one, or one of those of A6. */
export interface AnswerList {
  /** "" or "mrc_20". */
  readonly name: string;
  readonly count: unknown;
  readonly records: readonly Row[];
}

/** The lists of an answer; none of an answer that is no success. */
export function answerLists(answer: ExplorerResponse): readonly AnswerList[] {
  const results = resultsOf(answer);
  if (answer.status !== 200 || !isObject(results)) return [];
  const nested = Object.entries(results).flatMap(([name, one]) =>
    isObject(one) && RESULTS in one
      ? [{ name, count: one.count, records: rowsOf({ data: one.results ?? [] }) }]
      : [],
  );
  const { count, data } = results;
  return nested.length > 0 ? nested : [{ name: "", count, records: rowsOf({ data: data ?? [] }) }];
}

/** The records of an answer. */
export const recordsOf = (answer: ExplorerResponse): readonly Row[] =>
  answerLists(answer).flatMap(({ records }) => records);

/** A path without positions: `data[].value`. */
const placeOf = (path: string): string =>
  path.replace(/^results\.(?=.)/, "").replace(/\.\d+(?=\.|$)/g, "[]");

/** The judgements on a success: status, content type, envelope, and every field in its exact form. */
export function* success(
  operation: AnyOperation,
  answer: ExplorerResponse,
  simple = false,
): Judgements {
  const { status, headers, json, text } = answer;
  yield rule(SPECIFIED, "HTTP status", "200", status !== 200 && `${status}`);
  if (status !== 200) return;
  const judged = new Map<string, Judgement>();
  const response = { status, contentType: headers.get("content-type"), text };
  for (const departure of responseDepartures(operation, response, simple)) {
    const { field, expected, received, reads, decided } = departure;
    const one = decided
      ? rule(decided, "fields", "beside the specification")
      : { ...rule(SPECIFIED, placeOf(field), expected, received), reads };
    const key = `${one.rule} ${one.field} ${one.expected}`;
    if (!judged.has(key)) judged.set(key, one);
  }
  if (operation.enveloped && isEnvelope(json) && !readEnvelope(json).success)
    judged.set("", rule(SPECIFIED, "envelope", "a success", `message ${describe(json.message)}`));
  yield* judged.values();
}

/** The judgements on a request that is to be refused. */
export function* refusal(
  operation: AnyOperation,
  answer: ExplorerResponse,
  status: number,
  decision: string,
): Judgements {
  yield rule(decision, "HTTP status", `${status}`, answer.status !== status && `${answer.status}`);
  if (answer.status < 400) return;
  const { text } = answer;
  const response = { status: answer.status, contentType: "application/json", text };
  const [departure] = responseDepartures(operation, response, false);
  const expected = '{"status":"<HTTP status>","message":"…","results":null}';
  yield rule("S1", "envelope of errors", expected, departure && describe(text.trim()));
}

/** The values that a record is sorted by, the most significant first. */
type Rank = readonly (bigint | string)[];

interface Order {
  readonly name: string;
  readonly rank: (record: Row) => Rank;
}

const digits = (value: unknown): bigint[] => (/^\d+$/.test(`${value}`) ? [BigInt(`${value}`)] : []);

/** From the newest to the oldest, by the fields that a record has. */
const newestFirst: Order = {
  name: "newest first",
  rank({ block_number, timestamp, transaction_index, log_index }) {
    const block = digits(block_number);
    const age = block.length > 0 ? block : digits(Date.parse(`${timestamp}`));
    // Without a block, an index says nothing.
    if (age.length === 0) return [];
    return [age, digits(transaction_index), digits(log_index)].flat().map((one) => -one);
  },
};
const inExecutionOrder: Order = {
  name: "in execution order",
  // A parent comes before its children: its path is a prefix of theirs.
  rank: ({ trace_address }) => (Array.isArray(trace_address) ? trace_address.flatMap(digits) : []),
};
const byTokenId: Order = {
  name: "by token id, ascending",
  rank: ({ token_id }) => digits(token_id),
};
const byToken: Order = {
  name: "by token address, ascending",
  rank: ({ token_address }) => [String(token_address).toLowerCase()],
};

/** The order of an operation's list (S4), by what identifies its records. */
function orderOf({ list, finality }: AnyOperation): Order {
  if (finality === "transaction") return inExecutionOrder;
  if (list === undefined || list.identity === identities.inventory) return byTokenId;
  return list.identity === identities.heldTokens ? byToken : newestFirst;
}

const compare = (one: Rank, other: Rank): number => {
  for (let index = 0; ; index++) {
    const [a, b] = [one[index], other[index]];
    if (a === undefined || b === undefined) return one.length - other.length;
    if (a !== b) return a < b ? -1 : 1;
  }
};

export function* inOrder(operation: AnyOperation, { name, records }: AnswerList): Judgements {
  const order = orderOf(operation);
  const ranks = records.map(order.rank);
  const steps = ranks.slice(1).map((rank, index) => Math.sign(compare(ranks[index] ?? [], rank)));
  const received = steps.includes(-1) ? "another order" : "the reverse";
  if (steps.some((step) => step !== 0))
    yield rule("S4", fieldWithin(name, "order"), order.name, steps.includes(1) && received);
}

/** The name of something of a list of A6. */
export const fieldWithin = (name: string, what: string): string =>
  name ? `${name}.${what}` : what;
