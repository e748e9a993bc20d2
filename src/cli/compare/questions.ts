// What an explorer is asked about each operation, derived from the contract's parameters as data, and what is expected of the answer.
import { readEnvelope } from "../../contract/envelope.ts";
import { type AnyOperation, type AnySchema, limits, operations } from "../../contract/index.ts";
import { isObject } from "../../models/issues.ts";
import { unwrapped } from "../../models/schema.ts";
import type { Row } from "../records.ts";
import { type ExplorerResponse, requestFor } from "./ask.ts";
import {
  hasStatus,
  inOrder,
  type Judgements,
  refusal,
  resultsOf,
  rule,
  SPECIFIED,
} from "./judge.ts";
import {
  type About,
  aboutOf,
  listQuestions,
  NO_ADDRESS,
  NO_HASH,
  type Question,
} from "./list-questions.ts";
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
function wrongValues(name: string, schema: AnySchema): Readonly<Record<string, string>> {
  const kind: Kind = unwrapped(schema)._zod.toJSONSchema?.() ?? {};
  const decision = /^(limit|offset|startBlock|endBlock)$/.test(name) ? "S5" : "S1";
  const [word] = kind.enum ?? [];
  if (word) return { other: decision, [word.toUpperCase()]: "S29" };
  if (kind.type === "boolean") return { maybe: decision, True: "S29" };
  if (kind.type !== "integer")
    return kind.pattern?.startsWith("^[0-9]")
      ? { x1: decision, "-1": decision }
      : { "0x123": decision };
  const bounds = [Number(kind.minimum) - 1, Number(kind.maximum) + 1].filter(Number.isSafeInteger);
  return Object.fromEntries([...bounds, "x"].map((value) => [value, decision]));
}

/** Every question about an explorer of which a sample was found. */
export function* questionsAbout(
  sample: Sample,
  { verify, needsKey }: { readonly verify: boolean; readonly needsKey: boolean },
): Generator<Question> {
  for (const operation of Object.values(operations) as AnyOperation[]) {
    const subject = sample.subjects.get(operation.id);
    const questions =
      operation.id === "C3"
        ? verify && submissions(sample)
        : subject && questionsOf(aboutOf(operation, subject), sample);
    for (const question of questions || [])
      if (needsKey || !question.message.withoutKey) yield question;
  }
  yield* generalQuestions();
}

function* questionsOf(about: About, sample: Sample): Generator<Question> {
  const { id, list, places, input, failure, resource } = about.operation;
  if (list) yield* listQuestions(about, sample);
  else yield about.success("a known one", {}, known[id]?.(sample));
  yield about.refused("without a key", {}, 401, "S1", { withoutKey: true });
  for (const name of [...places.path, ...places.query])
    for (const [value, decision] of Object.entries(
      wrongValues(name, input.shape[name] as AnySchema),
    ))
      yield about.refused(`${name}=${value}`, { [name]: value }, 400, decision);
  const [path = ""] = places.path;
  const isHash = path === "transaction_hash";
  const unknown = { [path]: isHash ? NO_HASH : NO_ADDRESS };
  if (id === "C1") yield about.question("not verified", unknown, notVerified);
  else if (failure === "not-verified")
    // A record, with its code.
    yield about.success("not verified", unknown, ([record]) => {
      const code = `${record?.contract_code}`;
      return [rule("S2", "contract_code", '"0x" of an account', code !== "0x" && code)];
    });
  else if (isHash || resource === "tokens") yield about.refused("unknown", unknown, 404, "S1");
  else if (id === "B1")
    yield about.refused("beyond the head", { block_number: sample.head + 1e9 }, 404, "S1");
  if (id === "T2" || id === "T3")
    yield about.success("unknown holder", { address_hash: NO_ADDRESS }, (records) => {
      const isEmpty = id === "T3" ? records.length === 0 : `${records[0]?.balance}` === "0";
      return [rule("S6", "holdings", "none", !isEmpty && "some")];
    });
  if (id === "A1") yield* balanceQuestions(about);
}

/** The judgements on records of something known that is no list. */
const known: Readonly<Record<string, (sample: Sample) => (records: readonly Row[]) => Judgements>> =
  {
    T3: () => (records) => inOrder(operations.T3, { name: "", count: undefined, records }),
    B1: ({ head }) =>
      function* ([block = {}]) {
        const { block_number, reward, fees, mining_reward } = block;
        const isOther = `${block_number}` !== `${head}` && `${block_number}`;
        yield rule(SPECIFIED, "block_number", "the one asked for", isOther);
        const parts = [reward, fees, mining_reward].map(String);
        if (reward === "0" || !parts.every((one) => /^\d+$/.test(one))) return;
        const [all = 0n, own = 0n, mined = 0n] = parts.map(BigInt);
        yield rule(
          "S14",
          "reward",
          "fees + mining_reward",
          own + mined !== all && "another number",
        );
      },
  };

/** The judgements on C1 of a contract that is not verified. */
function* notVerified(answer: ExplorerResponse): Judgements {
  yield hasStatus("S2", 200, answer);
  if (answer.status !== 200) return;
  const { status, message, results } = Object(answer.json);
  const isEmpty = isObject(results) && Object.keys(results).length === 0;
  const kept = status === "200" && message === "contract is not yet verified" && isEmpty;
  const expected = 'message "contract is not yet verified", results {}';
  yield rule("S2", "body", expected, !kept && answer.text.slice(0, 80));
}

function* balanceQuestions(about: About): Generator<Question> {
  const [first = NO_ADDRESS, second = NO_ADDRESS] = [about.subject.addresses].flat().map(String);
  const addresses = [second, `0x${first.slice(2).toUpperCase()}`, NO_ADDRESS, second];
  yield about.success("twice, upper case, unknown", { addresses }, (records) => {
    const received = records.map(({ address }) => String(address));
    const [some, all] = [received, addresses].map((ones) => ones.map((one) => one.toLowerCase()));
    const isSorted = `${some?.toSorted()}` === `${all?.toSorted()}`;
    const other = isSorted
      ? "another order"
      : `${received.length} for ${addresses.length} addresses`;
    const entries = "one for each address, as requested, duplicates included";
    const nobody = records.find((one) => `${one.address}`.toLowerCase() === NO_ADDRESS);
    const balance = nobody && `${nobody.balance}`;
    return [
      rule("S7", "entries", entries, `${some}` !== `${all}` && other),
      rule("S7", "case of addresses", "lower", `${some}` !== `${received}` && "another"),
      rule("S6", "balance of an unknown address", '"0"', balance !== "0" && balance),
    ];
  });
  const most = limits.addresses;
  const [tooMany = [], many] = [most + 1, most].map((length) =>
    Array.from({ length }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`),
  );
  yield about.success(`${most} addresses`, { addresses: many }, ({ length }) => [
    rule(SPECIFIED, "entries", "one for each address", length !== most && `${length}`),
  ]);
  const wrong = {
    [`${tooMany.length} addresses`]: tooMany,
    "no address": [],
    "a malformed address": [first, "0x12"],
  };
  for (const [asked, addresses] of Object.entries(wrong))
    yield about.refused(asked, { addresses }, 400, "S7");
  yield about.refused("as text/plain", {}, 415, "S1", { contentType: "text/plain" });
  yield about.refused("no JSON", {}, 400, "S1", { body: "{" });
}

/** Questions about no operation: paths and methods. */
function* generalQuestions(): Generator<Question> {
  const { A2, A1 } = operations;
  const path = requestFor(A2, { address_hash: NO_ADDRESS }).target;
  const general = [
    ["unknown path", "GET", `${path}-of-nobody`, 404, "S1"],
    ["trailing slash", "GET", `${path}/`, 404, "S21"],
    ["DELETE of a GET", "DELETE", path, 405, "S1"],
    ["GET of a POST", "GET", A1.path, 405, "S1"],
  ] as const;
  for (const [asked, method, target, status, decision] of general)
    yield {
      ...{ id: "paths", asked, message: { method, target } },
      *judge(answer) {
        yield* refusal(A2, answer, status, decision);
        const isAllowed = answer.status !== 405 || answer.headers.has("allow");
        if (status === 405)
          yield rule("S1", "header Allow", "the allowed methods", !isAllowed && "none");
      },
    };
}

/** C3, with sources that it must refuse: nothing is verified. */
function* submissions({ subjects }: Sample): Generator<Question> {
  const about = aboutOf(operations.C3, {
    contract_hash: subjects.get("T1")?.contract_hash ?? subjects.get("L1")?.address ?? NO_ADDRESS,
    contract_name: "Nothing",
    compiler: "0.8.20",
    runs_optimizer: 200,
    optimization_enabled: 1,
    contract_source: btoa("contract Nothing {}"),
    constructor_arguments: "",
  });
  yield about.refused("a missing field", { contract_name: undefined }, 400, "S1");
  yield about.refused("without a key", {}, 401, "S1", { withoutKey: true });
  yield about.refused("no contract", { contract_hash: NO_ADDRESS }, 404, "S1");
  yield about.question("another source", {}, function* (answer) {
    yield hasStatus("S18", 200, answer);
    if (answer.status !== 200) return;
    const { data } = Object(resultsOf(answer));
    yield rule("S18", "results.data", '"0"', data !== "0" && String(data));
    const { success, message } = readEnvelope(answer.json);
    const says = message !== undefined && !success;
    yield rule("S18", "message", "the reason", !says && String(message));
  });
}
