// What an explorer is asked about each operation, derived from the contract's parameters, and what is expected of the answer.
import { type AnyOperation, type AnySchema, limits, operations } from "../../contract/index.ts";
import { isObject } from "../../models/issues.ts";
import { unwrapped } from "../../models/schema.ts";
import { type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import {
  inOrder,
  type Judgements,
  recordsOf,
  refusal,
  resultsOf,
  rule,
  SPECIFIED,
  success,
} from "./judge.ts";
import { listQuestions, NO_ADDRESS, NO_HASH, type Question, questionOf } from "./list-questions.ts";
import type { Sample } from "./sample.ts";

/** The part of JSON Schema that says which values a parameter refuses. */
interface Kind {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** Values that a parameter refuses, with the decision that says so. */
function wrongValues(name: string, schema: AnySchema): readonly (readonly [string, string])[] {
  const kind: Kind = unwrapped(schema)._zod.toJSONSchema?.() ?? {};
  const decision = /^(limit|offset|startBlock|endBlock)$/.test(name) ? "S5" : "S1";
  const [word] = kind.enum ?? [];
  if (word)
    return [
      ["other", decision],
      [word.toUpperCase(), "S29"],
    ];
  if (kind.type === "boolean")
    return [
      ["maybe", decision],
      ["True", "S29"],
    ];
  if (kind.type === "integer")
    return [Number(kind.minimum) - 1, Number(kind.maximum) + 1, "x"]
      .filter((value) => value === "x" || Number.isSafeInteger(value))
      .map((value) => [`${value}`, decision]);
  return kind.pattern?.startsWith("^[0-9]")
    ? [
        ["x1", decision],
        ["-1", decision],
      ]
    : [["0x123", decision]];
}

/** Every question about an explorer of which a sample was found. */
export function* questionsAbout(
  sample: Sample,
  { verify, needsKey }: { readonly verify: boolean; readonly needsKey: boolean },
): Generator<Question> {
  for (const operation of Object.values(operations) as AnyOperation[]) {
    const subject = sample.subjects.get(operation.id);
    if (operation.id === "C3" && verify) yield* submissions(operation, sample);
    else if (subject)
      for (const question of questionsOf(operation, subject, sample))
        if (needsKey || !question.message.withoutKey) yield question;
  }
  yield* generalQuestions();
}

function* questionsOf(operation: AnyOperation, subject: Raw, sample: Sample): Generator<Question> {
  const { id, list, places, input, failure } = operation;
  const refused = (asked: string, raw: Raw, status: number, decision: string, changes = {}) =>
    questionOf(
      operation,
      asked,
      raw,
      (answer) => refusal(operation, answer, status, decision),
      changes,
    );
  if (list) yield* listQuestions(operation, subject, sample);
  else
    yield questionOf(operation, "a known one", subject, (answer) =>
      known(operation, answer, sample),
    );
  yield refused("without a key", subject, 401, "S1", { withoutKey: true });
  for (const name of [...places.path, ...places.query])
    for (const [value, decision] of wrongValues(name, input.shape[name] as AnySchema))
      yield refused(`${name}=${value}`, { ...subject, [name]: value }, 400, decision);
  const [path] = places.path;
  const isHash = path === "transaction_hash";
  if (failure === "not-verified")
    yield questionOf(operation, "not verified", { contract_hash: NO_ADDRESS }, (answer) =>
      id === "C1" ? notVerified(answer) : withoutSource(operation, answer),
    );
  else if (isHash || operation.resource === "tokens")
    yield refused("unknown", { ...subject, [`${path}`]: isHash ? NO_HASH : NO_ADDRESS }, 404, "S1");
  else if (id === "B1")
    yield refused("beyond the head", { block_number: sample.head + 1_000_000_000 }, 404, "S1");
  if (id === "T2" || id === "T3") yield unknownHolder(operation, subject);
  if (id === "A1") yield* balanceQuestions(operation, subject, refused);
}

/** The judgements on something known that is no list. */
function* known(operation: AnyOperation, answer: ExplorerResponse, { head }: Sample): Judgements {
  yield* success(operation, answer);
  const records = recordsOf(answer);
  if (operation.id === "T3") yield* inOrder(operation, { name: "", count: undefined, records });
  if (operation.id !== "B1") return;
  const { block_number, reward, fees, mining_reward } = records[0] ?? {};
  const same = `${block_number}` === `${head}`;
  yield rule(SPECIFIED, "block_number", "the one asked for", !same && `${block_number}`);
  const parts = [fees, mining_reward, reward].map((one) =>
    /^\d+$/.test(`${one}`) ? BigInt(`${one}`) : undefined,
  );
  const [fee, mined, total] = parts;
  if (fee === undefined || mined === undefined || !total) return;
  yield rule("S14", "reward", "fees + mining_reward", fee + mined !== total && "another number");
}

/** The judgements on C2 of an address that has no verified source: a record, with its code. */
function* withoutSource(operation: AnyOperation, answer: ExplorerResponse): Judgements {
  yield* success(operation, answer);
  const [record] = recordsOf(answer);
  const code = record?.contract_code;
  yield rule("S2", "contract_code", '"0x" of an account', code !== "0x" && `${code}`);
}

/** The judgements on C1 of a contract that is not verified. */
function* notVerified(answer: ExplorerResponse): Judgements {
  const { status, json } = answer;
  yield rule("S2", "HTTP status", "200", status !== 200 && `${status}`);
  if (status !== 200) return;
  const { message, results } = isObject(json) ? json : {};
  const isEmpty = isObject(results) && Object.keys(results).length === 0;
  const kept =
    Object(json).status === "200" && message === "contract is not yet verified" && isEmpty;
  const expected = 'message "contract is not yet verified", results {}';
  yield rule("S2", "body", expected, !kept && answer.text.slice(0, 80));
}

/** A token's balance and inventory of somebody who has none of it. */
const unknownHolder = (operation: AnyOperation, subject: Raw): Question =>
  questionOf(
    operation,
    "unknown holder",
    { ...subject, address_hash: NO_ADDRESS },
    function* (answer) {
      yield* success(operation, answer);
      const records = recordsOf(answer);
      const isEmpty =
        operation.id === "T3" ? records.length === 0 : `${records[0]?.balance}` === "0";
      yield rule("S6", "holdings", "none", !isEmpty && "some");
    },
  );

function* balanceQuestions(
  operation: AnyOperation,
  subject: Raw,
  refused: (
    asked: string,
    raw: Raw,
    status: number,
    decision: string,
    changes?: object,
  ) => Question,
): Generator<Question> {
  const [first = NO_ADDRESS, second = NO_ADDRESS] = (subject.addresses ?? []) as readonly string[];
  const upper = `0x${first.slice(2).toUpperCase()}`;
  const addresses = [second, upper, NO_ADDRESS, second];
  yield questionOf(operation, "twice, upper case, unknown", { addresses }, function* (answer) {
    yield* success(operation, answer);
    const received = recordsOf(answer).map(({ address }) => String(address));
    const [some, all] = [received, addresses].map((ones) => ones.map((one) => one.toLowerCase()));
    const entries = "one for each address, as requested, duplicates included";
    const isSorted = `${some?.toSorted()}` === `${all?.toSorted()}`;
    const other = isSorted
      ? "another order"
      : `${received.length} for ${addresses.length} addresses`;
    yield rule("S7", "entries", entries, `${some}` !== `${all}` && other);
    const isLower = received.every((one) => one === one.toLowerCase());
    yield rule("S7", "case of addresses", "lower", !isLower && "another");
    const nobody = recordsOf(answer).find((one) => `${one.address}`.toLowerCase() === NO_ADDRESS);
    const balance = nobody && `${nobody.balance}`;
    yield rule("S6", "balance of an unknown address", '"0"', balance !== "0" && balance);
  });
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
  const most = limits.addresses;
  yield questionOf(operation, `${most} addresses`, { addresses: many(most) }, function* (answer) {
    yield* success(operation, answer);
    const { length } = recordsOf(answer);
    yield rule(SPECIFIED, "entries", "one for each address", length !== most && `${length}`);
  });
  yield refused(`${most + 1} addresses`, { addresses: many(most + 1) }, 400, "S7");
  yield refused("no address", { addresses: [] }, 400, "S7");
  yield refused("a malformed address", { addresses: [first, "0x12"] }, 400, "S7");
  yield refused("as text/plain", subject, 415, "S1", { contentType: "text/plain" });
  yield refused("no JSON", subject, 400, "S1", { body: "{" });
}

/** Questions about no operation: paths and methods. */
function* generalQuestions(): Generator<Question> {
  const { A2, A1 } = operations;
  const path = requestFor(A2, { address_hash: NO_ADDRESS }).target;
  const refused = (
    asked: string,
    method: string,
    target: string,
    status: number,
    decision: string,
  ) => ({
    ...{ id: "paths", asked, message: { method, target } },
    *judge(answer: ExplorerResponse) {
      yield* refusal(A2, answer, status, decision);
      const isAllowed = answer.status !== 405 || answer.headers.has("allow");
      if (status === 405)
        yield rule("S1", "header Allow", "the allowed methods", !isAllowed && "none");
    },
  });
  yield refused("unknown path", "GET", `${path}-of-nobody`, 404, "S1");
  yield refused("trailing slash", "GET", `${path}/`, 404, "S21");
  yield refused("DELETE of a GET", "DELETE", path, 405, "S1");
  yield refused("GET of a POST", "GET", A1.path, 405, "S1");
}

/** C3, with sources that it must refuse: nothing is verified. */
function* submissions(operation: AnyOperation, { subjects }: Sample): Generator<Question> {
  const submission = {
    contract_hash: subjects.get("T1")?.contract_hash ?? subjects.get("L1")?.address ?? NO_ADDRESS,
    contract_name: "Nothing",
    compiler: "0.8.20",
    runs_optimizer: 200,
    optimization_enabled: 1,
    contract_source: Buffer.from("contract Nothing {}").toString("base64"),
    constructor_arguments: "",
  };
  const refused = (asked: string, raw: Raw, status: number, changes = {}) =>
    questionOf(
      operation,
      asked,
      raw,
      (answer) => refusal(operation, answer, status, "S1"),
      changes,
    );
  const { contract_name: _, ...incomplete } = submission;
  yield refused("a missing field", incomplete, 400);
  yield refused("without a key", submission, 401, { withoutKey: true });
  yield refused("no contract", { ...submission, contract_hash: NO_ADDRESS }, 404);
  yield questionOf(operation, "another source", submission, function* (answer) {
    const { status, json } = answer;
    yield rule("S18", "HTTP status", "200", status !== 200 && `${status}`);
    if (status !== 200) return;
    const { data } = Object(resultsOf(answer));
    yield rule("S18", "results.data", '"0"', data !== "0" && String(data));
    const { message } = Object(json);
    const says = typeof message === "string" && message !== "success";
    yield rule("S18", "message", "the reason", !says && String(message));
  });
}
