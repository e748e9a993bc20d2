// Compares an explorer with the specification and with our decisions: asks, judges, and gathers the differences.
import { type DialectName, dialects } from "../../contract/dialects.ts";
import { type OperationId, operations } from "../../contract/index.ts";
import { type Asker, OutOfRequests } from "./ask.ts";
import { type Judgement, rule, SPECIFIED } from "./judge.ts";
import { NO_ADDRESS, type Question } from "./list-questions.ts";
import { type Judged, type Node, nodeQuestions } from "./node-values.ts";
import { questionsAbout } from "./questions.ts";
import { findSample, type Given } from "./sample.ts";

/** Something that an explorer does otherwise. */
export interface Difference extends Judgement {
  /** The number of the operation. */
  readonly operation: string;
  /** The first question that showed it. */
  readonly asked: string;
  readonly received: string;
}

/** The questions of one operation, and how its responses compared. */
interface Tally {
  readonly operation: string;
  asked: number;
  /** Answers that are as specified in everything judged. */
  specified: number;
  /** Answers that are as the specification or a decision says. */
  decided: number;
  otherwise: number;
  /** The decisions that they followed. */
  decisions: readonly string[];
}

export interface Comparison {
  readonly operations: readonly Tally[];
  readonly differences: readonly Difference[];
  readonly head: number;
  readonly requests: number;
  /** Whether the budget was spent before all was asked. */
  readonly isCut: boolean;
}

export interface CompareOptions {
  /** What to ask about, besides what is found. */
  readonly given: Given;
  readonly verify: boolean;
  /** Whether requests need a key. */
  readonly needsKey: boolean;
  /** A node of the same chain. */
  readonly node?: Node | undefined;
}

/** What makes two differences the same, whatever the chain: neither the question nor the values received. */
export const differenceKey = (
  one: Pick<Difference, "operation" | "rule" | "field" | "expected">,
): string => JSON.stringify([one.operation, one.rule, one.field, one.expected]);

/** The option that names something to ask an operation about. */
const optionFor = (id: string): string =>
  /^[TA][159]$|T/.test(id) ? "--token" : id.startsWith("C") ? "--contract" : "--address";

/** @throws an Error if this is no explorer; ConnectionError */
export async function compare(asker: Asker, options: CompareOptions): Promise<Comparison> {
  const tallies = new Map<string, Tally>();
  const differences = new Map<string, Difference>();
  let isCut = false;
  let head = -1;
  try {
    for await (const one of judgedBy(asker, options, (found) => (head = found))) add(one);
  } catch (error) {
    if (!(error instanceof OutOfRequests)) throw error;
    isCut = true;
  }
  return {
    operations: [...tallies.values()],
    differences: [...differences.values()],
    ...{ head, requests: asker.sent, isCut },
  };

  function add({ id, asked, judgements }: Judged): void {
    const none = { asked: 0, specified: 0, decided: 0, otherwise: 0, decisions: [] };
    const tally = tallies.get(id) ?? { operation: id, ...none };
    tallies.set(id, tally);
    tally.asked++;
    const decisions = judgements.map(({ rule }) => rule).filter((rule) => rule !== SPECIFIED);
    const isKept = judgements.every(({ received }) => received === undefined);
    tally[isKept ? (decisions.length > 0 ? "decided" : "specified") : "otherwise"]++;
    if (isKept) tally.decisions = [...new Set([...tally.decisions, ...decisions])];
    for (const judgement of judgements) {
      if (judgement.received === undefined) continue;
      const received = asker.redact(judgement.received);
      const difference = { operation: id, asked, ...judgement, received };
      const key = differenceKey(difference);
      if (!differences.has(key)) differences.set(key, difference);
    }
  }
}

/** Every question with its judgements: on the sample, on the explorer, and on the explorer beside a node. */
async function* judgedBy(
  asker: Asker,
  options: CompareOptions,
  found: (head: number) => void,
): AsyncGenerator<Judged> {
  // Of a node that cannot be reached, nobody wants to read after hundreds of requests.
  await options.node?.call("eth_chainId", []);
  const sample = await findSample(asker, options.given);
  found(sample.head);
  const other = sample.failures.has("A4") ? await fittingDialect(asker) : undefined;
  if (other)
    throw new Error(`this explorer answers in the dialect ${other}: pass --dialect ${other}`);
  for (const id of Object.keys(operations) as OperationId[]) {
    if (sample.subjects.has(id) || id === "C3") continue;
    const failure = sample.failures.get(id);
    const judgement = failure
      ? rule(SPECIFIED, "HTTP status", "200", failure)
      : rule(SPECIFIED, "answer", "one", `nothing to ask about was found: pass ${optionFor(id)}`);
    yield { id, asked: "the sample", judgements: [judgement] };
  }
  for (const question of questionsAbout(sample, options))
    yield {
      ...{ id: question.message.operation.id, asked: question.asked },
      judgements: await judged(asker, question),
    };
  if (options.node) yield* nodeQuestions(options.node, asker, sample);
}

async function judged(asker: Asker, { message, judge, reference }: Question): Promise<Judgement[]> {
  const first = [...judge(await asker.ask(message))];
  if (!reference || first.every(({ received }) => received === undefined)) return first;
  // The list may have grown since its longest page was read.
  for (const _ of reference.judge(await asker.ask(reference.message)));
  return [...judge(await asker.ask(message))];
}

/** The dialect that an explorer speaks that has no list of token transfers where the present one has it; undefined if none fits. */
export async function fittingDialect(asker: Asker): Promise<DialectName | undefined> {
  const message = { operation: operations.A4, raw: { address_hash: NO_ADDRESS } };
  if ((await asker.ask(message)).status !== 404) return undefined;
  for (const [name, dialect] of Object.entries(dialects))
    if ((await asker.ask(message, dialect)).status === 200) return name as DialectName;
  return undefined;
}
