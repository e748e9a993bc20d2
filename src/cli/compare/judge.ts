// Judges an answer: each rule of the specification or of a decision that it shows, kept or not.
import { responseDepartures } from "../../contract/conformance.ts";
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
  const { status, headers, text } = answer;
  yield hasStatus(decision, expectedStatus, answer);
  if (status < 400) return;
  if (status === 405)
    yield rule("S1", "header Allow", "the methods", !headers.has("allow") && "none");
  const response = { status, contentType: "application/json", text };
  const [departure] = responseDepartures(operation, response, false);
  const expected = '{"status":"<HTTP status>","message":"…","results":null}';
  yield rule("S1", "envelope of errors", expected, departure && describe(text.trim()));
}

/** The order of an operation's list (S4), and the fields by which its records ascend, or descend. */
function orderOf({ id, list, finality }: AnyOperation) {
  // A parent comes before its children: its path is a prefix of theirs.
  if (finality === "transaction") return ["in execution order", 1, ["trace_address"]] as const;
  if (list === undefined || list.identity === identities.inventory)
    return ["by token id, ascending", 1, ["token_id"]] as const;
  if (list.identity === identities.heldTokens)
    return ["by token address, ascending", 1, ["token_address"]] as const;
  const age = id === "L1" ? "timestamp" : "block_number";
  return ["newest first", -1, [age, "transaction_index", "log_index"]] as const;
}

/** Some fields as a text in their order, of which a beginning comes first; it ends where one is missing: without a block, an index says nothing. */
function inOneText(record: Row, fields: readonly string[]): string {
  let text = "";
  for (const value of fields.flatMap((field) => record[field])) {
    const given = `${value}`;
    const number = /^(0x[0-9a-f]+|\d+)$/i.test(given) ? BigInt(given) : Date.parse(given);
    if (Number.isNaN(number)) break;
    text += `${number}`.padStart(78, "0");
  }
  return text;
}

/** Whether the second of two neighbours in a list is the greater (1), the lesser (-1), or neither. */
function step(one: Row, next: Row, fields: readonly string[]): number {
  // Logs have no block: of one second, only those of one transaction are known to be of one block.
  const isOneBlock = fields[0] !== "timestamp" || one.transaction_hash === next.transaction_hash;
  const known = isOneBlock ? fields : fields.slice(0, 1);
  const [before, after] = [inOneText(one, known), inOneText(next, known)];
  return before === after ? 0 : after > before ? 1 : -1;
}

/** The judgement on the order of a list that has one. */
export function* inOrder(operation: AnyOperation, list: AnswerList): Judgements {
  const [name, sign, fields] = orderOf(operation);
  const { records } = list;
  const steps = new Set(
    records.slice(1).map((next, at) => sign * step(records[at] as Row, next, fields)),
  );
  const other = steps.has(1) ? "another order" : "the reverse";
  if (steps.has(1) || steps.has(-1))
    yield rule("S4", fieldIn(list, "order"), name, steps.has(-1) && other);
}
