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

/** A question that was asked, of an operation or "paths", and the judgements on its answer. */
export interface Judged {
  readonly id: string;
  readonly asked: string;
  readonly judgements: readonly Judgement[];
}

/** The rule that comes from the specification itself. */
export const SPECIFIED = "specified";

/** A judgement: kept if nothing else was received. */
export const rule = (
  rule: string,
  field: string,
  expected: string,
  received?: string | false,
): Judgement => ({ rule, field, expected, received: received === false ? undefined : received });

/** A judgement on the status. */
export const hasStatus = (decision: string, expected: number, { status }: ExplorerResponse) =>
  rule(decision, "HTTP status", `${expected}`, status !== expected && `${status}`);

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

export const recordsOf = (answer: ExplorerResponse): readonly Row[] =>
  answerLists(answer).flatMap(({ records }) => records);

/** The name of something of a list: of A6, with that of the list. */
export const fieldIn = ({ name }: AnswerList, what: string) => (name ? `${name}.${what}` : what);

/** The judgements on a success: status, content type, envelope, and every field in its exact form. */
export function* success(
  operation: AnyOperation,
  answer: ExplorerResponse,
  simple = false,
): Judgements {
  const { status, headers, json, text } = answer;
  yield hasStatus(SPECIFIED, 200, answer);
  if (status !== 200) return;
  const judged = new Map<string, Judgement>();
  const response = { status, contentType: headers.get("content-type"), text };
  for (const departure of responseDepartures(operation, response, simple)) {
    const { expected, received, reads, decided } = departure;
    // Without positions: `data[].value`.
    const field = departure.field.replace(/^results\.(?=.)/, "").replace(/\.\d+(?=\.|$)/g, "[]");
    const one = decided
      ? rule(decided, "fields", "beside the specification")
      : { ...rule(SPECIFIED, field, expected, received), reads };
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
  expectedStatus: number,
  decision: string,
): Judgements {
  const { status, text } = answer;
  yield hasStatus(decision, expectedStatus, answer);
  if (status < 400) return;
  const response = { status, contentType: "application/json", text };
  const [departure] = responseDepartures(operation, response, false);
  const expected = '{"status":"<HTTP status>","message":"…","results":null}';
  yield rule("S1", "envelope of errors", expected, departure && describe(text.trim()));
}

type Rank = readonly (bigint | string)[];

const digits = (value: unknown): bigint[] => (/^\d+$/.test(`${value}`) ? [BigInt(`${value}`)] : []);

/** From the newest to the oldest, by the fields that a record has; without a block, an index says nothing. */
function byAge({ block_number, timestamp, transaction_index, log_index }: Row): Rank {
  const age = [digits(block_number), digits(Date.parse(`${timestamp}`))].find((one) => one.length);
  if (age === undefined) return [];
  return [age, digits(transaction_index), digits(log_index)].flat().map((one) => -one);
}

/** The order of an operation's list (S4), and the values that its records are sorted by, by what identifies them. */
function orderOf({ list, finality }: AnyOperation): readonly [string, (record: Row) => Rank] {
  if (finality === "transaction")
    // A parent comes before its children: its path is a prefix of theirs.
    return ["in execution order", ({ trace_address }) => [trace_address].flat().flatMap(digits)];
  if (list === undefined || list.identity === identities.inventory)
    return ["by token id, ascending", ({ token_id }) => digits(token_id)];
  if (list.identity !== identities.heldTokens) return ["newest first", byAge];
  return ["by token address, ascending", (one) => [`${one.token_address}`.toLowerCase()]];
}

/** Below 0 if the first comes first; what is a beginning of another comes before it. */
function compare(one: Rank, other: Rank): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [a, b] = [one[index], other[index]];
  if (a === undefined || b === undefined) return one.length - other.length;
  return a < b ? -1 : 1;
}

/** The judgement on the order of a list that has one. */
export function* inOrder(operation: AnyOperation, list: AnswerList): Judgements {
  const [name, rank] = orderOf(operation);
  const ranks = list.records.map(rank);
  const steps = ranks.slice(1).map((next, index) => Math.sign(compare(ranks[index] ?? [], next)));
  const received = steps.includes(-1) ? "another order" : "the reverse";
  if (steps.some((step) => step !== 0))
    yield rule("S4", fieldIn(list, "order"), name, steps.includes(1) && received);
}
