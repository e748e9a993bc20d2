// Makes the profile of an explorer from what its answers have shown: what a mock is to do that imitates it.
import { situations } from "../../../mocks/double/profile/mistakes.ts";
import {
  type ExplorerProfile,
  type ListHabits,
  type OtherAnswer,
  profileHeader,
} from "../../../mocks/double/profile/profile.ts";
import { templateOf, valuesIn } from "../../../mocks/double/profile/template.ts";
import { type AnyOperation, type OperationId, operations } from "../../contract/index.ts";
import { isObject } from "../../models/issues.ts";
import type { Comparison, Lesson } from "./compare.ts";
import type { Learned } from "./judge.ts";

type Situated = Extract<Learned, { situation: string }>;

/** The envelope of errors that the specification's examples have (S1). */
const ENVELOPE = { status: "{status}", message: "{message}", results: null };

/** The longest body that is kept word for word. */
const MAX_BODY = 20_000;

/** JSON with the fields of its objects in one order. */
const ordered = (json: unknown): string =>
  JSON.stringify(json, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  ) ?? "nothing";

const same = (one: unknown, other: unknown): boolean => ordered(one) === ordered(other);

const isSuccess = ({ status, json }: Situated["answer"]): boolean =>
  status === 200 &&
  isObject(json) &&
  ("message" in json ? /^\s*success\s*$/i.test(`${json.message}`) : !("error" in json));

/** Whether a mock can answer such a request as if nothing were wrong with it. */
function isAcceptable(id: string, situation: string): boolean {
  const { noKey, slash, contentType } = situations;
  if ([noKey, slash, contentType].some((one) => one === situation)) return true;
  const [parameter = ""] = situation.split(" ");
  const operation = (operations as Readonly<Record<string, AnyOperation>>)[id];
  if (operation === undefined) return false;
  const { places, list } = operation;
  return (
    places.query.includes(parameter) || (list !== undefined && places.path.includes(parameter))
  );
}

/** The envelope that most errors have; undefined for that of the specification. */
function errorTemplate(lessons: readonly Situated[]): unknown {
  const counts = new Map<string, number>();
  for (const { status, answer } of lessons) {
    if (status < 400 || !isObject(answer.json) || isSuccess(answer)) continue;
    const text = JSON.stringify(templateOf(answer.json, [status, answer.status]));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const template: unknown = most && JSON.parse(most[0]);
  return same(template, ENVELOPE) ? undefined : template;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** How a situation is answered; empty where as specified. */
function answerIn(
  { operation, learned, departs }: Lesson & { learned: Situated },
  errors: unknown,
) {
  const { situation, status, answer } = learned;
  const other: Writable<OtherAnswer> = {};
  if (!departs && status < 400) return other;
  if (status >= 400 && isSuccess(answer) && isAcceptable(operation, situation))
    return { accepted: true } as const;
  if (answer.status !== status) other.status = answer.status;
  if (status === 405 && answer.status === 405 && answer.headers.get("allow") === null)
    other.allow = "none";
  const found = valuesIn(errors ?? ENVELOPE, answer.json);
  const own = `${found?.status ?? found?.code ?? answer.status}`;
  if (found && typeof (found.message ?? "") === "string")
    return own === `${answer.status}` ? other : { ...other, own };
  const type = answer.headers.get("content-type") ?? "none";
  if (!/^application\/json\s*(;|$)/i.test(type)) other.type = type;
  return answer.json === undefined || answer.text.length > MAX_BODY
    ? { ...other, text: answer.text.slice(0, MAX_BODY) }
    : { ...other, json: answer.json };
}

/** Values by operation: what all have that were asked is said once, for `*`. */
function compacted<Value>(
  found: ReadonlyMap<string, Value | undefined>,
): readonly (readonly [string, Value])[] {
  const [first, ...others] = [...found.values()];
  if (first !== undefined && others.every((one) => same(one, first))) return [["*", first]];
  return [...found].flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const]));
}

const orNothing = <Table extends object>(table: Table): Table | undefined =>
  Object.keys(table).length > 0 ? table : undefined;

function answersOf(lessons: readonly Lesson[]): Pick<ExplorerProfile, "answers" | "errors"> {
  const situated = lessons.flatMap(({ learned, ...lesson }) =>
    "situation" in learned ? [{ ...lesson, learned }] : [],
  );
  const errors = errorTemplate(situated.map(({ learned }) => learned));
  const bySituation = new Map<string, Map<string, OtherAnswer | undefined>>();
  for (const lesson of situated) {
    const { situation } = lesson.learned;
    const found = bySituation.get(situation) ?? new Map();
    const answer: OtherAnswer = answerIn(lesson, errors);
    bySituation.set(situation, found.set(lesson.operation, orNothing(answer)));
  }
  const answers: Record<string, Record<string, OtherAnswer>> = {};
  for (const [situation, found] of bySituation)
    for (const [id, answer] of compacted(found))
      answers[id === "paths" ? "*" : id] = {
        ...answers[id === "paths" ? "*" : id],
        [situation]: answer,
      };
  return { answers: orNothing(answers), errors };
}

function listsOf(lessons: readonly Lesson[]): Record<string, ListHabits> {
  const lists: Record<string, ListHabits> = {};
  for (const { operation, learned } of lessons) {
    if (!("list" in learned) || Object.keys(learned.list).length === 0) continue;
    const { ignoredConditions: before = [], ...known } = lists[operation] ?? {};
    const { ignoredConditions = [], ...more } = learned.list;
    const all = [...new Set([...before, ...ignoredConditions])];
    lists[operation] = { ...known, ...more, ...(all.length > 0 && { ignoredConditions: all }) };
  }
  // Where nothing can be skipped, the longest page is not known.
  for (const [id, { largestPage: _, ...others }] of Object.entries(lists))
    if (others.offset === "ignored") lists[id] = others;
  return lists;
}

function fieldsOf(lessons: readonly Lesson[]): NonNullable<ExplorerProfile["fields"]> {
  const fields: NonNullable<ExplorerProfile["fields"]> = {};
  for (const { operation, learned } of lessons) {
    if (!("field" in learned)) continue;
    const { field, form } = learned;
    const paths = { ...fields[operation] };
    const forms = (paths[field] ?? []).filter(
      (one) => typeof one !== "object" || typeof form !== "object",
    );
    if (!forms.includes(form)) forms.push(form);
    // A field that some answers have is not always missing.
    paths[field] = forms.includes("missing for null")
      ? forms.filter((one) => one !== "missing")
      : forms;
    fields[operation] = paths;
  }
  return fields;
}

/** What depends on the operation alone: the last lesson counts. */
function eachOf<Value>(
  lessons: readonly Lesson[],
  valueIn: (learned: Learned) => Value | undefined,
  isUsual: (value: Value, id: string) => boolean,
): Record<string, Value> {
  const found = new Map<string, Value | undefined>();
  for (const { operation, learned } of lessons) {
    const value = valueIn(learned);
    if (value !== undefined)
      found.set(operation, isUsual(value, operation) ? found.get(operation) : value);
  }
  return Object.fromEntries(compacted(found));
}

const SUCCESS = { status: "200", message: "success", results: "{results}" };

/** The profile of a compared explorer. */
export function profileOf(comparison: Comparison): ExplorerProfile {
  const { lessons, differences, median, percentile95, rateLimit } = comparison;
  const balances: NonNullable<ExplorerProfile["balances"]> = Object.assign(
    {},
    ...lessons.map(({ learned }) => ("balances" in learned ? learned.balances : {})),
  );
  const successes = eachOf(
    lessons,
    (learned) => ("success" in learned ? learned.success : undefined),
    (value, id) => same(value, operations[id as OperationId].enveloped ? SUCCESS : "{results}"),
  );
  const contentTypes = eachOf(
    lessons,
    (learned) => ("type" in learned ? learned.type : undefined),
    (type) => /^application\/json\s*(;|$)/i.test(type),
  );
  const profile: ExplorerProfile = {
    ...profileHeader,
    lists: orNothing(listsOf(lessons)),
    fields: orNothing(fieldsOf(lessons)),
    ...answersOf(lessons),
    successes: orNothing(successes),
    contentTypes: orNothing(contentTypes),
    balances: orNothing(balances),
    ...(median >= 1 && { delays: { median, percentile95 } }),
    ...(rateLimit && { rateLimit }),
    differences: differences.map(({ operation, rule, field, expected, received, learned }) => {
      return { operation, rule, field, expected, received, imitated: learned !== undefined };
    }),
  };
  // Without what is undefined, as a file has it.
  return JSON.parse(JSON.stringify(profile));
}
