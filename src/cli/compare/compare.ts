// Compares an explorer with the specification and with our decisions: asks, judges, and gathers the differences.
import type { Redact } from "../../errors/redact.ts";
import type { RateLimit } from "../../http/rate-limiter.ts";
import { type Asker, OutOfRequests } from "./ask.ts";
import { type Judgement, type Learned, SPECIFIED } from "./judge.ts";
import type { Question } from "./question.ts";
import { questionsAbout } from "./questions.ts";
import { findSample, type Sample } from "./sample.ts";

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
  /** Why nothing was asked. */
  reason?: string;
}

export interface Comparison {
  readonly tallies: readonly Tally[];
  readonly differences: readonly Difference[];
  readonly sample: Sample;
  readonly requests: number;
  readonly rateLimited: number;
  /** Whether the budget was spent before all was asked. */
  readonly isCut: boolean;
  /** Milliseconds of answers: the median, and what 95 % stay below. */
  readonly median: number;
  readonly percentile95: number;
  /** What each judgement says of the explorer, with those that depart last. */
  readonly lessons: readonly Lesson[];
  readonly rateLimit: RateLimit | undefined;
}

/** What an operation's answer says of the explorer. */
export interface Lesson {
  readonly operation: string;
  readonly learned: Learned;
  /** The judgement was that it departs. */
  readonly departs: boolean;
}

/** A question that was asked already, and the judgements on its answer. */
export interface Judged extends Pick<Question, "id" | "asked"> {
  readonly judgements: readonly Judgement[];
}

export interface CompareOptions {
  /** Accounts to ask about, besides those found. */
  readonly addresses: readonly string[];
  readonly verify: boolean;
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

class Report {
  readonly tallies = new Map<string, Tally>();
  readonly differences = new Map<string, Difference>();
  readonly lessons: Lesson[] = [];

  of(operation: string): Tally {
    const known = this.tallies.get(operation);
    if (known) return known;
    const tally: Tally = {
      operation,
      asked: 0,
      specified: 0,
      decided: 0,
      decisions: new Set(),
      otherwise: 0,
    };
    this.tallies.set(operation, tally);
    return tally;
  }

  add(
    { id, asked }: Pick<Question, "id" | "asked">,
    judgements: readonly Judgement[],
    redact: Redact,
  ): void {
    const tally = this.of(id);
    tally.asked++;
    const isKept = judgements.every(({ received }) => received === undefined);
    const decisions = judgements.map(({ rule }) => rule).filter((rule) => rule !== SPECIFIED);
    if (!isKept) tally.otherwise++;
    else if (decisions.length > 0) tally.decided++;
    else tally.specified++;
    if (isKept) for (const decision of decisions) tally.decisions.add(decision);
    for (const judgement of judgements) {
      const { learned } = judgement;
      const departs = judgement.received !== undefined;
      if (learned) this.lessons.push({ operation: id, learned, departs });
      if (judgement.received === undefined) continue;
      const received = redact(judgement.received);
      const difference = { operation: id, asked, ...judgement, received };
      const key = differenceKey(difference);
      if (!this.differences.has(key)) this.differences.set(key, difference);
    }
  }
}

/** @throws NotAnExplorer, ConnectionError */
export async function compare(asker: Asker, options: CompareOptions): Promise<Comparison> {
  const report = new Report();
  let isCut = false;
  let sample: Sample = { head: -1, subjects: new Map(), blocks: new Map() };
  try {
    sample = await findSample(asker, options.addresses);
    for (const question of questionsAbout(sample, options)) {
      if ("reason" in question) report.of(question.id).reason = question.reason;
      else report.add(question, await judged(asker, question), asker.redact);
    }
    for await (const question of options.further?.(sample) ?? [])
      report.add(question, question.judgements, asker.redact);
  } catch (error) {
    if (!(error instanceof OutOfRequests)) throw error;
    isCut = true;
  }
  return {
    tallies: [...report.tallies.values()],
    differences: [...report.differences.values()],
    sample,
    requests: asker.sent,
    rateLimited: asker.limited,
    isCut,
    median: percentile(asker.durations, 0.5),
    percentile95: percentile(asker.durations, 0.95),
    lessons: report.lessons.toSorted((a, b) => Number(a.departs) - Number(b.departs)),
    rateLimit: asker.seenLimit,
  };
}

async function judged(asker: Asker, { message, judge, reference }: Question): Promise<Judgement[]> {
  const first = [...judge(await asker.ask(message))];
  if (!reference || first.every(({ received }) => received === undefined)) return first;
  // The list may have grown since its longest page was read.
  for (const _ of reference.judge(await asker.ask(reference.message)));
  return [...judge(await asker.ask(message))];
}
