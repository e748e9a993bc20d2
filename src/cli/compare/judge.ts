// Judges an answer: each rule of the specification or of a decision that it shows, kept or not.

import { situations } from "../../../mocks/double/profile/mistakes.ts";
import type {
  ExplorerProfile,
  FieldForm,
  ListHabits,
} from "../../../mocks/double/profile/profile.ts";
import { isEnvelope, RESULTS } from "../../contract/envelope.ts";
import { type AnyOperation, limits } from "../../contract/index.ts";
import { identities } from "../../contract/lists.ts";
import { describe, isObject } from "../../models/issues.ts";
import { type Row, rowsOf } from "../records.ts";
import type { ExplorerResponse } from "./ask.ts";
import { departures } from "./wire-form.ts";

/** What a judgement says of the explorer, for its profile. */
export type Learned =
  | { readonly list: ListHabits }
  | { readonly field: string; readonly form: FieldForm }
  /** In a situation (such as `limit above`) where this status is expected. */
  | { readonly situation: string; readonly status: number; readonly answer: ExplorerResponse }
  | { readonly success: unknown }
  | { readonly type: string }
  | { readonly balances: NonNullable<ExplorerProfile["balances"]> };

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
  /** What a mock is to do that imitates it; undefined if it cannot. */
  readonly learned?: Learned | undefined;
}

export type Judgements = Iterable<Judgement>;

/** The rule that comes from the specification itself. */
export const SPECIFIED = "specified";

/** A judgement: kept if `received` is undefined. */
export const rule = (
  rule: string,
  field: string,
  expected: string,
  received: string | undefined,
  learned?: Learned,
): Judgement => ({ rule, field, expected, received, learned });

/** `received` where a rule is not kept. */
export const unless = (kept: boolean, received: () => string): string | undefined =>
  kept ? undefined : received();

/** Fields beside the specification that decisions name. */
function decidedBeyond({ id, failure }: AnyOperation, field: string): string | undefined {
  if (id === "X1" && field === "data.description") return "S11";
  return failure === "not-verified" && /\[\]/.test(field) ? "S32" : undefined;
}

/** The start of a body, on one line. */
const bodyOf = ({ text, headers }: ExplorerResponse): string =>
  text === ""
    ? `an empty body (${headers.get("content-type") ?? "no content type"})`
    : describe(text.replace(/\s+/g, " "));

/** The results in a body, with or without an envelope. */
export const resultsOf = ({ json }: ExplorerResponse): unknown =>
  isEnvelope(json) ? json[RESULTS] : json;

/** The records of an answer. */
export const recordsOf = (answer: ExplorerResponse): readonly Row[] => {
  const results = resultsOf(answer);
  return answer.status === 200 && isObject(results) ? rowsOf(results).map(withoutTag) : [];
};

const withoutTag = ({ standard: _, ...row }: Row): Row => row;

/** The lists of an answer, with their counts: one, or those of A6. */
export interface AnswerList {
  /** "" or "mrc_20". */
  readonly name: string;
  readonly count: unknown;
  readonly records: readonly Row[];
}

export function answerLists(answer: ExplorerResponse): readonly AnswerList[] {
  const results = resultsOf(answer);
  if (answer.status !== 200 || !isObject(results)) return [];
  const parts = Object.entries(results).filter(([, one]) => isObject(one) && "results" in one);
  const nested = parts.map(([name, one]) => {
    const { count, results: records } = one as Row;
    return { name, count, records: rowsOf({ data: records ?? [] }) };
  });
  if (nested.length > 0) return nested;
  return [{ name: "", count: results.count, records: rowsOf({ data: results.data ?? [] }) }];
}

/** The judgements on a success: status, content type, envelope, and every field in its exact form. */
export function* success(
  operation: AnyOperation,
  answer: ExplorerResponse,
  { simple = false, situation = "" } = {},
): Judgements {
  const { status, headers, json } = answer;
  yield rule(
    SPECIFIED,
    "HTTP status",
    "200",
    unless(status === 200, () => `${status}`),
    situation === "" ? undefined : { situation, status: 200, answer },
  );
  if (status !== 200) return;
  const type = headers.get("content-type") ?? "none";
  yield {
    ...rule(
      SPECIFIED,
      "content type",
      "application/json",
      unless(/^application\/json\s*(;|$)/i.test(type), () => type),
      { type },
    ),
    reads: "R17",
  };
  if (json === undefined) return yield rule(SPECIFIED, "body", "JSON", bodyOf(answer));
  yield* envelope(operation, answer);
  const schema = (simple && operation.simpleResults) || operation.results;
  const beyond = new Set<string>();
  const found = departures(schema, resultsOf(answer), (field) => {
    const decision = decidedBeyond(operation, field);
    if (decision !== undefined) beyond.add(decision);
    return decision !== undefined;
  });
  for (const { form, ...departure } of found) {
    const learned = form && { field: departure.field.replaceAll("[]", ".*"), form };
    yield { rule: SPECIFIED, ...departure, learned };
  }
  for (const decision of beyond)
    yield rule(decision, "fields", "beside the specification", undefined);
  if (found.length === 0) yield rule(SPECIFIED, "fields", "those of the specification", undefined);
}

/** A success as a template. */
const successTemplate = (json: unknown): unknown =>
  isEnvelope(json) ? { ...json, [RESULTS]: "{results}" } : "{results}";

function* envelope({ enveloped }: AnyOperation, { json }: ExplorerResponse): Judgements {
  if (!enveloped) {
    const received = unless(!isEnvelope(json), () => "an envelope");
    const learned = { success: successTemplate(json) };
    return yield { ...rule(SPECIFIED, "envelope", "none", received, learned), reads: "R2" };
  }
  const { status, message, results, ...others } = isObject(json) ? json : {};
  const names = Object.keys(others);
  const expected = 'status "200", message "success", results';
  const kept = isObject(json) && status === "200" && message === "success" && names.length === 0;
  const received = unless(kept && results !== undefined, () =>
    isObject(json)
      ? `status ${describe(status)}, message ${describe(message)}${names.length ? ` and ${names.join(", ")}` : ""}`
      : describe(json),
  );
  const isRead = String(status).trim() === "200" && /^\s*success\s*$/i.test(String(message));
  const learned = isObject(json) ? { success: successTemplate(json) } : undefined;
  yield {
    ...rule(SPECIFIED, "envelope", expected, received, learned),
    reads: isRead ? "R1" : undefined,
  };
}

/** The judgements on a request that is to be refused. */
export function* judgeRefusal(
  status: number,
  decision: string,
  answer: ExplorerResponse,
  situation: string,
): Judgements {
  const learned = { situation, status, answer };
  yield rule(
    decision,
    "HTTP status",
    `${status}`,
    unless(answer.status === status, () => `${answer.status}`),
    learned,
  );
  if (answer.status < 400) return;
  const { json } = answer;
  const { status: own, message, results, ...others } = isObject(json) ? json : {};
  const kept =
    own === `${answer.status}` &&
    typeof message === "string" &&
    message !== "" &&
    results === null &&
    Object.keys(others).length === 0;
  yield rule(
    "S1",
    "envelope of errors",
    '{"status":"<HTTP status>","message":"…","results":null}',
    unless(kept, () => bodyOf(answer)),
    learned,
  );
}

/** The judgements on C1 and C2 of a contract that is not verified. */
export function* notVerified(answer: ExplorerResponse): Judgements {
  const { status, json } = answer;
  const learned = { situation: situations.notVerified, status: 200, answer };
  yield rule(
    "S2",
    "HTTP status",
    "200",
    unless(status === 200, () => `${status}`),
    learned,
  );
  if (status !== 200) return;
  const { message, results } = isObject(json) ? json : {};
  const kept =
    isObject(json) &&
    json.status === "200" &&
    message === "contract is not yet verified" &&
    isObject(results) &&
    Object.keys(results).length === 0;
  const expected = 'message "contract is not yet verified", results {}';
  yield rule(
    "S2",
    "body",
    expected,
    unless(kept, () => bodyOf(answer)),
    learned,
  );
}

/** The values that a record is sorted by, the most significant first. */
type Rank = readonly (bigint | string)[];

interface Order {
  readonly name: string;
  readonly rank: (record: Row) => Rank;
}

const digits = (value: unknown): bigint[] =>
  (typeof value === "string" && /^\d+$/.test(value)) || Number.isSafeInteger(value)
    ? [BigInt(value as string)]
    : [];

/** From the newest to the oldest, by the fields that a record has. */
const newestFirst: Order = {
  name: "newest first",
  rank: ({ block_number, timestamp, transaction_index, log_index }) => {
    const time = typeof timestamp === "string" ? digits(`${Date.parse(timestamp)}`) : [];
    const block = digits(block_number);
    const age = block.length > 0 ? block : time;
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
  if (!steps.some((step) => step !== 0)) return;
  const received = unless(!steps.includes(1), () =>
    steps.includes(-1) ? "another order" : "the reverse",
  );
  const list: ListHabits =
    order === newestFirst
      ? {
          order:
            received === undefined
              ? "newest first"
              : received === "the reverse"
                ? "oldest first"
                : "unsorted",
        }
      : received === undefined
        ? {}
        : { sorted: received === "the reverse" ? "reversed" : "unsorted" };
  yield rule("S4", fieldWithin(name, "order"), order.name, received, { list });
}

/** The name of something of a list of A6. */
export const fieldWithin = (name: string, what: string): string =>
  name ? `${name}.${what}` : what;

/** What identifies a record, as text. */
export const identityIn =
  ({ list }: AnyOperation) =>
  (record: Row): string =>
    JSON.stringify((list?.identity ?? ["token_id"]).map((name) => record[name]));

/** The page that a list of at least `whole` records has for a limit. */
export function* pageLength(
  { name, records }: AnswerList,
  limit: number,
  whole: number,
): Judgements {
  const { length } = records;
  const expected = `at most ${limit} records, and all up to there`;
  const kept = length <= limit && length >= Math.min(limit, whole);
  const field = fieldWithin(name, `length at limit ${limit}`);
  // Longer than asked for: the limit is ignored.
  const isLonger = length > limit && limit !== limits.default;
  const list: ListHabits = isLonger ? { limit: "ignored" } : { defaultLimit: Math.max(1, length) };
  const isImitable = !kept && (isLonger || limit === limits.default);
  yield rule(
    SPECIFIED,
    field,
    expected,
    unless(kept, () => `${length} records of ${whole}`),
    isImitable ? { list } : undefined,
  );
}
