// Finds out whether a server heeds `offset`: the pages of two offsets must differ.
import { ListError } from "../errors/index.ts";
import type { IterationState, OffsetProbe, PageRange } from "./iteration-state.ts";
import type { ListOperation } from "./list-records.ts";

/**
 * So many answers must be the same. Two of them may be, if the list moved by one position in between, or if another
 * replica answered.
 */
const MAX_ANSWERS = 16;

/** Begins a test with a page that misses what is known. */
export function startProbe(
  state: IterationState,
  { offset }: PageRange,
  answer: readonly string[],
  keysRepeat: boolean,
): void {
  // Records that look the same do not tell positions apart.
  const telling = answer.length > 0 && (!keysRepeat || new Set(answer).size > 1);
  if (offset > 0 && telling) state.probe = { offset, answer: answer.join(), answers: 0 };
  state.repeats++;
}

/** The position to request: two pages before the offset, two at it, so that replicas that take turns answer for both. */
export const probeOffset = ({ offset, answers }: OffsetProbe): number =>
  answers % 4 < 2 ? offset - 1 : offset;

/** Compares an answer with the others. Throws a {@link ListError} if all of them are the same. */
export function judgeProbe(
  state: IterationState,
  answer: readonly string[],
  { id, name }: ListOperation,
): void {
  const { probe } = state;
  state.probe = undefined;
  if (!probe || answer.join() !== probe.answer) return;
  const answers = probe.answers + 1;
  if (answers < MAX_ANSWERS) {
    state.probe = { ...probe, answers };
    return;
  }
  const { offset } = probe;
  throw new ListError(
    "OFFSET_IGNORED",
    `The server ignores \`offset\`: ${offset - 1} and ${offset} bring the same page`,
    { operation: id, operationName: name },
  );
}
