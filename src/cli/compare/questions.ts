// What an explorer is asked about each operation, derived from the contract's parameters as data, and what is expected of the answer.
import type * as z from "zod/mini";
import { readEnvelope } from "../../contract/envelope.ts";
import { type AnyOperation, type AnySchema, limits, operations } from "../../contract/index.ts";
import { isObject } from "../../models/issues.ts";
import { unwrapped } from "../../models/schema.ts";
import type { Row } from "../records.ts";
import type { AskedRequest, ExplorerResponse, Raw } from "./ask.ts";
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

/** A request that is to be refused: its variation, the status and the decision. */
type Refused = readonly [
  asked: string,
  raw: Raw,
  status: number,
  decision: string,
  changes?: Partial<AskedRequest>,
];

const withoutKey: Refused = ["without a key", {}, 401, "S1", { withoutKey: true }];

/** Values that a parameter refuses. */
function wrongValues(schema: AnySchema): readonly string[] {
  const kind: z.core.JSONSchema.BaseSchema = Object(unwrapped(schema)._zod.toJSONSchema?.());
  const [word] = kind.enum ?? [];
  if (word) return ["other", `${word}`.toUpperCase()];
  if (kind.type === "boolean") return ["maybe", "True"];
  if (kind.type !== "integer") return kind.pattern?.startsWith("^[0-9]") ? ["x1", "-1"] : ["0x123"];
  const bounds = [Number(kind.minimum) - 1, Number(kind.maximum) + 1];
  return [...bounds.filter(Number.isSafeInteger).map(String), "x"];
}

/** What an operation refuses. */
function* refusedBy(operation: AnyOperation, { head }: Sample): Generator<Refused> {
  const { id, resource, places, input, list } = operation;
  yield withoutKey;
  for (const name of [...places.path, ...places.query])
    for (const value of wrongValues(input.shape[name] as AnySchema)) {
      const decision = /^(limit|offset|startBlock|endBlock)$/.test(name) ? "S5" : "S1";
      const isCase = /^[A-Z]/.test(value);
      yield [`${name}=${value}`, { [name]: value }, 400, isCase ? "S29" : decision];
    }
  if (list) yield ["limit twice", { limit: 1 }, 400, "S20", { suffix: "&limit=2" }];
  if (places.query.includes("startBlock"))
    yield ["startBlock after endBlock", { startBlock: 9, endBlock: 8 }, 400, "S5"];
  if (places.path.includes("transaction_hash"))
    yield ["unknown", { transaction_hash: NO_HASH }, 404, "S1"];
  if (resource === "tokens") yield ["unknown", { contract_hash: NO_ADDRESS }, 404, "S1"];
  if (id === "B1") yield ["beyond the head", { block_number: head + 1e9 }, 404, "S1"];
  if (id === "A2") {
    yield ["unknown path", {}, 404, "S1", { suffix: "-of-nobody" }];
    yield ["trailing slash", {}, 404, "S21", { suffix: "/" }];
    yield ["another method", {}, 405, "S1", { method: "DELETE" }];
  }
  if (id !== "A1") return;
  yield ["another method", {}, 405, "S1", { method: "GET" }];
  const many = addresses(limits.addresses + 1);
  yield [`${many.length} addresses`, { addresses: many }, 400, "S7"];
  yield ["no address", { addresses: [] }, 400, "S7"];
  yield ["a malformed address", { addresses: ["0x12"] }, 400, "S7"];
  yield ["as text/plain", {}, 415, "S1", { contentType: "text/plain" }];
  yield ["no JSON", {}, 400, "S1", { body: "{" }];
}

const addresses = (length: number) =>
  Array.from({ length }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);

/** Every question about an explorer of which a sample was found. */
export function* questionsAbout(
  sample: Sample,
  { verify, needsKey }: { readonly verify: boolean; readonly needsKey: boolean },
): Generator<Question> {
  for (const operation of Object.values(operations) as AnyOperation[]) {
    const isC3 = operation.id === "C3";
    const subject = isC3 ? verify && submission(sample) : sample.subjects.get(operation.id);
    if (!subject) continue;
    const about = aboutOf(operation, subject);
    if (operation.list) yield* listQuestions(about, sample);
    else if (!isC3) yield about.succeeds("a known one", {}, known(operation, sample));
    yield* answered[operation.id]?.(about) ?? [];
    for (const [asked, raw, status, decision, changes] of isC3
      ? refusedSubmissions
      : refusedBy(operation, sample)) {
      if (changes?.withoutKey && !needsKey) continue;
      const judge: Question["judge"] = (to) => refusal(operation, to, status, decision);
      yield about.question(asked, raw, judge, changes);
    }
  }
}

/** The judgements on records of something known that is no list. */
const known = (operation: AnyOperation, { head }: Sample) =>
  function* (records: readonly Row[]): Judgements {
    if (operation.id === "T3") yield* inOrder(operation, { name: "", count: undefined, records });
    if (operation.id !== "B1") return;
    const [{ block_number, reward, fees, mining_reward } = {}] = records;
    const other = `${block_number}` !== `${head}` && `${block_number}`;
    yield rule(SPECIFIED, "block_number", "the one asked for", other);
    const parts = [reward, fees, mining_reward].map(String);
    if (reward === "0" || !parts.every((one) => /^\d+$/.test(one))) return;
    const [all = 0n, own = 0n, mined = 0n] = parts.map(BigInt);
    yield rule("S14", "reward", "fees + mining_reward", own + mined !== all && "another number");
  };

const unknownHolder = ({ operation, succeeds }: About) => [
  succeeds("unknown holder", { address_hash: NO_ADDRESS }, (records) => {
    const isEmpty = operation.id === "T3" ? records.length === 0 : `${records[0]?.balance}` === "0";
    return [rule("S6", "holdings", "none", !isEmpty && "some")];
  }),
];

/** What operations are asked besides that is to be answered, not refused. */
const answered: Readonly<Record<string, (about: About) => Iterable<Question>>> = {
  T2: unknownHolder,
  T3: unknownHolder,
  A1: balanceQuestions,
  C1: ({ question }) => [question("not verified", { contract_hash: NO_ADDRESS }, notVerified)],
  // A record, with its code.
  C2: ({ succeeds }) => [
    succeeds("not verified", { contract_hash: NO_ADDRESS }, ([record]) => {
      const code = `${record?.contract_code}`;
      return [rule("S2", "contract_code", '"0x" of an account', code !== "0x" && code)];
    }),
  ],
  C3: ({ question }) => [question("another source", {}, notTheSource)],
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

function* balanceQuestions({ subject, succeeds }: About): Generator<Question> {
  const [first = NO_ADDRESS, second = NO_ADDRESS] = [subject.addresses].flat().map(String);
  const asked = [second, `0x${first.slice(2).toUpperCase()}`, NO_ADDRESS, second];
  yield succeeds("twice, upper case, unknown", { addresses: asked }, (records) => {
    const received = `${records.map(({ address }) => address)}`;
    const wanted = `${asked}`.toLowerCase();
    const isOther = received.toLowerCase() !== wanted;
    const entries = "one for each address, as requested, duplicates included";
    const nobody = records.find((one) => `${one.address}`.toLowerCase() === NO_ADDRESS);
    const balance = nobody && `${nobody.balance}`;
    const other =
      records.length === asked.length ? "another order" : `${records.length} for ${asked.length}`;
    return [
      rule("S7", "entries", entries, isOther && other),
      rule("S7", "case of addresses", "lower", received !== received.toLowerCase() && "another"),
      rule("S6", "balance of an unknown address", '"0"', balance !== "0" && balance),
    ];
  });
  const many = addresses(limits.addresses);
  yield succeeds(`${many.length} addresses`, { addresses: many }, ({ length }) => [
    rule(SPECIFIED, "entries", "one for each address", length !== many.length && `${length}`),
  ]);
}

/** A source that must be refused: nothing is verified. */
const submission = ({ subjects }: Sample): Raw => ({
  contract_hash: subjects.get("T1")?.contract_hash ?? subjects.get("L1")?.address ?? NO_ADDRESS,
  contract_name: "Nothing",
  compiler: "0.8.20",
  runs_optimizer: 200,
  optimization_enabled: 1,
  contract_source: btoa("contract Nothing {}"),
  constructor_arguments: "",
});

const refusedSubmissions: readonly Refused[] = [
  ["a missing field", { contract_name: undefined }, 400, "S1"],
  withoutKey,
  ["no contract", { contract_hash: NO_ADDRESS }, 404, "S1"],
];

/** The judgements on C3 with a source that differs. */
function* notTheSource(answer: ExplorerResponse): Judgements {
  yield hasStatus("S18", 200, answer);
  if (answer.status !== 200) return;
  const { data } = Object(resultsOf(answer));
  yield rule("S18", "results.data", '"0"', data !== "0" && String(data));
  const { success, message } = readEnvelope(answer.json);
  const says = message !== undefined && !success;
  yield rule("S18", "message", "the reason", !says && String(message));
}
