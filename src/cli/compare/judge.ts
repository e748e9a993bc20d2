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
  const response = { status, contentType: headers.get("content-type"), text };
  for (const departure of responseDepartures(operation, response, simple)) {
    const { expected, received, reads, decided } = departure;
    // Without positions: `data[].value`.
    const field = departure.field.replace(/^results\.(?=.)/, "").replace(/\.\d+(?=\.|$)/g, "[]");
    yield decided
      ? rule(decided, "fields", "beside the specification")
      : { ...rule(SPECIFIED, field, expected, received), reads };
  }
  if (operation.enveloped && isEnvelope(json) && !readEnvelope(json).success)
    yield rule(SPECIFIED, "envelope", "a success", `message ${describe(json.message)}`);
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

/** Integers as a text in the same order, of which a beginning comes first; it ends where one is missing. */
const inDigits = (values: readonly unknown[]): string =>
  values.map((value) => (/^\d+$/.test(`${value}`) ? `${value}`.padStart(78, "0") : "")).join("");

/** The order of an operation's list (S4), and the text by which its records ascend, or descend. */
function orderOf({ list, finality }: AnyOperation) {
  // A parent comes before its children: its path is a prefix of theirs.
  if (finality === "transaction")
    return ["in execution order", 1, (one: Row) => inDigits([one.trace_address].flat())] as const;
  if (list === undefined || list.identity === identities.inventory)
    return ["by token id, ascending", 1, (one: Row) => inDigits([one.token_id])] as const;
  if (list.identity === identities.heldTokens) {
    const addressOf = (one: Row) => `${one.token_address}`.toLowerCase();
    return ["by token address, ascending", 1, addressOf] as const;
  }
  // Without a block, an index says nothing.
  const ageOf = ({ block_number, timestamp, transaction_index, log_index }: Row) => {
    const age = inDigits([block_number]) || inDigits([Date.parse(`${timestamp}`)]);
    return age && age + inDigits([transaction_index, log_index]);
  };
  return ["newest first", -1, ageOf] as const;
}

/** The judgement on the order of a list that has one. */
export function* inOrder(operation: AnyOperation, list: AnswerList): Judgements {
  const [name, sign, textOf] = orderOf(operation);
  const texts = list.records.map(textOf);
  const steps = texts.slice(1).map((next, index) => {
    const last = texts[index] ?? "";
    return next === last ? 0 : next > last ? sign : -sign;
  });
  const received = steps.includes(1) ? "another order" : "the reverse";
  if (steps.some((step) => step !== 0))
    yield rule("S4", fieldIn(list, "order"), name, steps.includes(-1) && received);
}
