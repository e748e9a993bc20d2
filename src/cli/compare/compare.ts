// Compares an explorer with the specification and with our decisions: asks, judges, and gathers the differences.
import { type OperationId, operations } from "../../contract/index.ts";
import { type Asker, fittingDialect, OutOfRequests } from "./ask.ts";
import { type Judgement, rule, SPECIFIED } from "./judge.ts";
import type { Question } from "./list-questions.ts";
import { questionsAbout } from "./questions.ts";
import { findSample, type Given, type Sample } from "./sample.ts";

/** Something that an explorer does otherwise. */
export interface Difference extends Judgement {
  /** The number of the operation; "paths" for none. */
  readonly operation: string;
  /** The first question that showed it. */
  readonly asked: string;
  readonly received: string;
}

/** The questions of one operation, and how its responses compared. */
export interface Tally {
  readonly operation: string;
  asked: number;
  /** Answers that are as specified in everything judged. */
  specified: number;
  /** Answers that are as the specification or a decision says. */
  decided: number;
  /** The decisions that they followed. */
  readonly decisions: Set<string>;
  otherwise: number;
}

export interface Comparison {
  readonly tallies: readonly Tally[];
  readonly differences: readonly Difference[];
  readonly head: number;
  readonly requests: number;
  /** Whether the budget was spent before all was asked. */
  readonly isCut: boolean;
  /** Milliseconds of answers: the median, and what 95 % stay below. */
  readonly median: number;
  readonly percentile95: number;
}

/** A question that was asked already, and the judgements on its answer. */
export interface Judged extends Pick<Question, "id" | "asked"> {
  readonly judgements: readonly Judgement[];
}

export interface CompareOptions {
  /** What to ask about, besides what is found. */
  readonly given: Given;
  readonly verify: boolean;
  /** Whether requests need a key. */
  readonly needsKey: boolean;
  /** Further questions, such as whether a node says the same. */
  readonly further?: ((sample: Sample) => AsyncIterable<Judged>) | undefined;
}

/** What makes two differences the same, whatever the chain: neither the question nor the values received. */
export const differenceKey = ({
  operation,
  rule,
  field,
  expected,
}: Pick<Difference, "operation" | "rule" | "field" | "expected">): string =>
  JSON.stringify([operation, rule, field, expected]);

const percentile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0);

/** The option that names something to ask an operation about. */
const optionFor = (id: string): string =>
  /^[TA][159]$|T/.test(id) ? "--token" : id.startsWith("C") ? "--contract" : "--address";

/** @throws NotAnExplorer, ConnectionError */
export async function compare(asker: Asker, options: CompareOptions): Promise<Comparison> {
  const tallies = new Map<string, Tally>();
  const differences = new Map<string, Difference>();
  const add = ({ id, asked, judgements }: Judged) => {
    const none = { operation: id, asked: 0, specified: 0, decided: 0, otherwise: 0 };
    const tally: Tally = tallies.get(id) ?? { ...none, decisions: new Set() };
    tallies.set(id, tally);
    tally.asked++;
    const decisions = judgements.map(({ rule }) => rule).filter((rule) => rule !== SPECIFIED);
    const isKept = judgements.every(({ received }) => received === undefined);
    tally[isKept ? (decisions.length > 0 ? "decided" : "specified") : "otherwise"]++;
    if (isKept) for (const decision of decisions) tally.decisions.add(decision);
    for (const judgement of judgements) {
      if (judgement.received === undefined) continue;
      const received = asker.redact(judgement.received);
      const difference = { operation: id, asked, ...judgement, received };
      const key = differenceKey(difference);
      if (!differences.has(key)) differences.set(key, difference);
    }
  };
  let isCut = false;
  let head = -1;
  try {
    const sample = await findSample(asker, options.given);
    head = sample.head;
    const other = sample.failures.has("A4") ? await fittingDialect(asker) : undefined;
    if (other)
      throw new Error(`this explorer answers in the dialect ${other}: pass --dialect ${other}`);
    for (const id of Object.keys(operations) as OperationId[]) {
      if (sample.subjects.has(id) || id === "C3") continue;
      const failure = sample.failures.get(id);
      const received = failure ?? `nothing to ask about was found: pass ${optionFor(id)}`;
      const judged = rule(
        SPECIFIED,
        failure ? "HTTP status" : "answer",
        failure ? "200" : "one",
        received,
      );
      add({ id, asked: "the sample", judgements: [judged] });
    }
    for (const question of questionsAbout(sample, options))
      add({ ...question, judgements: await judged(asker, question) });
    for await (const question of options.further?.(sample) ?? []) add(question);
  } catch (error) {
    if (!(error instanceof OutOfRequests)) throw error;
    isCut = true;
  }
  return {
    tallies: [...tallies.values()],
    differences: [...differences.values()],
    ...{ head, requests: asker.sent, isCut },
    median: percentile(asker.durations, 0.5),
    percentile95: percentile(asker.durations, 0.95),
  };
}

async function judged(asker: Asker, { message, judge, reference }: Question): Promise<Judgement[]> {
  const first = [...judge(await asker.ask(message))];
  if (!reference || first.every(({ received }) => received === undefined)) return first;
  // The list may have grown since its longest page was read.
  for (const _ of reference.judge(await asker.ask(reference.message)));
  return [...judge(await asker.ask(message))];
}
