// The checks of an explorer for each operation, and how their answers are judged. Everything that the contract states is taken from it.
import { mistakeIn, situations } from "../../../mocks/double/profile/mistakes.ts";
import { type AnyOperation, limits, operations } from "../../contract/index.ts";
import { type AskedRequest, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import {
  type AnswerList,
  inOrder,
  type Judgements,
  judgeRefusal,
  notVerified,
  recordsOf,
  resultsOf,
  rule,
  SPECIFIED,
  success,
  unless,
} from "./judge.ts";
import { listQuestions } from "./list-questions.ts";
import { type Question, question, type Unasked } from "./question.ts";
import { NO_ADDRESS, NO_HASH, type Sample } from "./sample.ts";

/** The parameters, with the one that identifies the subject replaced. */
function about({ places, list }: AnyOperation, raw: Raw, value: string): Raw {
  const name = places.path[0] ?? (list ? "address" : "");
  return { ...raw, [name]: value };
}

const isHash = ({ places }: AnyOperation) => places.path.includes("transaction_hash");

/** All questions about an explorer of which a sample was found. */
export function* questionsAbout(
  sample: Sample,
  { verify }: { readonly verify: boolean },
): Generator<Question | Unasked> {
  for (const operation of Object.values(operations) as AnyOperation[]) {
    const { id } = operation;
    if (id === "C3") {
      if (verify) yield* submissions(operation, sample);
      continue;
    }
    const subject = sample.subjects.get(id);
    if (subject === undefined) yield { id, reason: "nothing to ask about was found" };
    else yield* questionsOf(operation, subject, sample);
  }
  yield* generalQuestions();
}

function* questionsOf(
  operation: AnyOperation,
  subject: Raw,
  sample: Sample,
): Generator<Question | Unasked> {
  const { id, list, failure } = operation;
  if (list) yield* listQuestions(operation, subject, sample);
  else
    yield question(operation, "a known one", requestFor(operation, subject), (answer) =>
      known(operation, answer, sample),
    );
  yield* refusals(operation, subject);
  if (failure === "not-verified")
    yield question(
      operation,
      "not verified",
      requestFor(operation, about(operation, subject, NO_ADDRESS)),
      notVerified,
    );
  if (id === "A1") yield* balanceQuestions(operation, subject);
  if (id === "B1") yield* blockQuestions(operation, sample);
  if (id === "T2" || id === "T3") yield unknownHolder(operation, subject);
  const unknown = isHash(operation) ? NO_HASH : NO_ADDRESS;
  if (isHash(operation) || operation.resource === "tokens")
    yield question(
      operation,
      "unknown",
      requestFor(operation, about(operation, subject, unknown)),
      (answer) => judgeRefusal(404, "S1", answer, situations.unknown),
    );
}

/** The judgements on something known that is no list. */
function* known(operation: AnyOperation, answer: ExplorerResponse, { head }: Sample): Judgements {
  yield* success(operation, answer);
  const records = recordsOf(answer);
  if (operation.id === "T3") {
    const part: AnswerList = { name: "", count: undefined, records };
    yield* inOrder(operation, part);
  }
  if (operation.id !== "B1") return;
  const { block_number, reward, fees, mining_reward } = records[0] ?? {};
  const same = String(block_number) === String(head);
  yield rule(
    SPECIFIED,
    "block_number",
    "the one asked for",
    unless(same, () => `${block_number}`),
  );
  if (fees === null || mining_reward === null) return;
  const adds = Number(reward) === 0 || sum(fees, mining_reward) === String(reward);
  yield rule(
    "S14",
    "reward",
    "fees + mining_reward",
    unless(adds, () => "another number"),
  );
}

const sum = (one: unknown, other: unknown): string | undefined => {
  try {
    return String(BigInt(one as string) + BigInt(other as string));
  } catch {
    return undefined;
  }
};

/** What every operation refuses: no key, and a value that is not of its kind. */
function* refusals(operation: AnyOperation, subject: Raw): Generator<Question> {
  const message = { ...requestFor(operation, subject), withoutKey: true };
  yield question(operation, "without a key", message, (answer) =>
    judgeRefusal(401, "S1", answer, situations.noKey),
  );
  if (operation.method !== "GET") return;
  const malformed = operation.id === "B1" ? "x1" : "0x123";
  yield mistaken(operation, "malformed", about(operation, subject, malformed), "S1");
}

/** A question that is to be refused for a mistake in its parameters. */
function mistaken(operation: AnyOperation, asked: string, raw: Raw, decision: string): Question {
  const situation = mistakeIn(operation, raw)?.name ?? situations.noJson;
  return question(operation, asked, requestFor(operation, raw), (answer) =>
    judgeRefusal(400, decision, answer, situation),
  );
}

/** The judgements on the entries of A1 for addresses that come twice, in upper case, and unknown. */
function* entriesOf(
  operation: AnyOperation,
  addresses: readonly string[],
  answer: ExplorerResponse,
): Judgements {
  yield* success(operation, answer);
  const records = recordsOf(answer);
  const received = records.map(({ address }) => String(address));
  const inCase = received.map((one) => one.toLowerCase());
  const expected = addresses.map((one) => one.toLowerCase());
  const order =
    inCase.join() === expected.toSorted().join()
      ? ("sorted" as const)
      : inCase.join() === [...new Set(expected)].join()
        ? ("once" as const)
        : undefined;
  yield rule(
    "S7",
    "entries",
    "one for each address, as requested, duplicates included",
    unless(inCase.join() === expected.join(), () =>
      inCase.toSorted().join() === expected.toSorted().join()
        ? "another order"
        : `${received.length} for ${expected.length} addresses`,
    ),
    order && { balances: { order } },
  );
  const lower = received.every((one) => one === one.toLowerCase());
  yield rule(
    "S7",
    "case of addresses",
    "lower",
    unless(lower, () => "another"),
    !lower && received.some((one) => addresses.includes(one) && one !== one.toLowerCase())
      ? { balances: { case: "as requested" } }
      : undefined,
  );
  const nobody = records.find(({ address }) => String(address).toLowerCase() === NO_ADDRESS);
  const zero = nobody === undefined || String(nobody.balance) === "0";
  yield rule(
    "S6",
    "balance of an unknown address",
    '"0"',
    unless(zero, () => `${nobody?.balance}`),
  );
}

function* balanceQuestions(operation: AnyOperation, subject: Raw): Generator<Question> {
  const [first = NO_ADDRESS, second = NO_ADDRESS] = (subject.addresses ?? []) as readonly string[];
  const upper = `0x${first.slice(2).toUpperCase()}`;
  const addresses = [second, upper, NO_ADDRESS, second];
  const ask = (asked: string, given: readonly string[], judge: Question["judge"]) =>
    question(operation, asked, requestFor(operation, { addresses: given }), judge);
  yield ask("twice, upper case, unknown", addresses, (answer) =>
    entriesOf(operation, addresses, answer),
  );
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
  yield ask(`${limits.addresses} addresses`, many(limits.addresses), function* (answer) {
    yield* success(operation, answer);
    const { length } = recordsOf(answer);
    const all = length === limits.addresses;
    yield rule(
      SPECIFIED,
      "entries",
      "one for each address",
      unless(all, () => `${length}`),
    );
  });
  const refuse = (asked: string, addresses: readonly string[]) =>
    mistaken(operation, asked, { addresses }, "S7");
  yield refuse(`${limits.addresses + 1} addresses`, many(limits.addresses + 1));
  yield refuse("no address", []);
  yield refuse("a malformed address", [first, "0x12"]);
  const message = requestFor(operation, subject);
  yield question(operation, "as text/plain", { ...message, contentType: "text/plain" }, (answer) =>
    judgeRefusal(415, "S1", answer, situations.contentType),
  );
  yield question(operation, "no JSON", { ...message, body: "{" }, (answer) =>
    judgeRefusal(400, "S1", answer, situations.noJson),
  );
}

function* blockQuestions(operation: AnyOperation, { head }: Sample): Generator<Question> {
  const ask = (asked: string, block_number: string | number, judge: Question["judge"]) =>
    question(operation, asked, requestFor(operation, { block_number }), judge);
  yield ask("beyond the head", head + 1_000_000_000, (answer) =>
    judgeRefusal(404, "S1", answer, situations.unknown),
  );
  yield mistaken(operation, "a negative number", { block_number: "-1" }, "S1");
  yield ask("block 1", 1, (answer) => success(operation, answer));
}

/** A token's balance and inventory of somebody who has none of it. */
function unknownHolder(operation: AnyOperation, subject: Raw): Question {
  const message = requestFor(operation, { ...subject, address_hash: NO_ADDRESS });
  return question(operation, "unknown holder", message, function* (answer) {
    const situation = operation.id === "T3" ? situations.emptyList : "";
    yield* success(operation, answer, { situation });
    const records = recordsOf(answer);
    const isEmpty =
      operation.id === "T3" ? records.length === 0 : String(records[0]?.balance) === "0";
    yield rule(
      "S6",
      "holdings",
      "none",
      unless(isEmpty, () => "some"),
    );
  });
}

/** Questions about no operation: paths and methods. */
function* generalQuestions(): Generator<Question> {
  const { A2, A1 } = operations;
  const to = (asked: string, message: AskedRequest, judge: Question["judge"]): Question => ({
    id: "paths",
    asked,
    message,
    judge,
  });
  const path = requestFor(A2, { address_hash: NO_ADDRESS }).target;
  const get = (target: string): AskedRequest => ({ method: "GET", target });
  yield to("unknown path", get(`${path}-of-nobody`), (answer) =>
    judgeRefusal(404, "S1", answer, situations.unknownPath),
  );
  yield to("trailing slash", get(`${path}/`), (answer) =>
    judgeRefusal(404, "S21", answer, situations.slash),
  );
  const wrongMethods = [
    { method: "DELETE", target: path },
    { method: "GET", target: A1.path },
  ];
  for (const message of wrongMethods)
    yield to(
      `${message.method} ${message.method === "GET" ? "of a POST" : "of a GET"}`,
      message,
      function* (answer) {
        const situation = message.method === "GET" ? situations.getOfPost : situations.otherMethod;
        yield* judgeRefusal(405, "S1", answer, situation);
        const allow = answer.headers.get("allow");
        if (answer.status === 405)
          yield rule(
            "S1",
            "header Allow",
            "the allowed methods",
            unless(allow !== null, () => "none"),
            { situation, status: 405, answer },
          );
      },
    );
}

/** C3, with sources that it must refuse: nothing is verified. */
function* submissions(operation: AnyOperation, sample: Sample): Generator<Question> {
  const contract = sample.subjects.get("T1")?.contract_hash ?? sample.subjects.get("L1")?.address;
  const submission = {
    contract_hash: contract ?? NO_ADDRESS,
    contract_name: "Nothing",
    compiler: "0.8.20",
    runs_optimizer: 200,
    optimization_enabled: 1,
    contract_source: Buffer.from("contract Nothing {}").toString("base64"),
    constructor_arguments: "",
  };
  const ask = (asked: string, raw: Raw, judge: Question["judge"]) =>
    question(operation, asked, requestFor(operation, raw), judge);
  const { contract_name: _, ...incomplete } = submission;
  yield mistaken(operation, "a missing field", incomplete, "S1");
  const message = { ...requestFor(operation, submission), withoutKey: true };
  yield question(operation, "without a key", message, (answer) =>
    judgeRefusal(401, "S1", answer, situations.noKey),
  );
  yield ask("no contract", { ...submission, contract_hash: NO_ADDRESS }, (answer) =>
    judgeRefusal(404, "S1", answer, situations.unknown),
  );
  yield ask("another source", submission, function* (answer) {
    const learned = { situation: situations.rejected, status: 200, answer };
    yield rule(
      "S18",
      "HTTP status",
      "200",
      unless(answer.status === 200, () => `${answer.status}`),
      learned,
    );
    if (answer.status !== 200) return;
    const body = Object(answer.json);
    const data = Object(resultsOf(answer)).data;
    yield rule(
      "S18",
      "results.data",
      '"0"',
      unless(data === "0", () => String(data)),
      learned,
    );
    const says = typeof body.message === "string" && body.message !== "success";
    yield rule(
      "S18",
      "message",
      "the reason",
      unless(says, () => String(body.message)),
      learned,
    );
  });
}
