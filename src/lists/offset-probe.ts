// Finds out whether a server heeds `offset`: the pages of two offsets must differ.
import { ListError } from "../errors/index.ts";
import type { IterationState, PageRange } from "./iteration-state.ts";
import type { ListOperation } from "./list-records.ts";

/** Begins a test with a page that misses what is known; the next page requested is the one before it. */
export function startProbe(
  state: IterationState,
  { offset }: PageRange,
  answer: readonly string[],
  keysRepeat: boolean,
): void {
  // Records that look the same do not tell positions apart.
  const telling = answer.length > 0 && (!keysRepeat || new Set(answer).size > 1);
  if (offset > 0 && telling) state.probe = { offset, answer: answer.join(), step: "before" };
  state.repeats++;
}

/**
 * Compares an answer with that of the other offset. Throws a {@link ListError} if both are the same, and the first offset
 * still brings it.
 */
export function judgeProbe(
  state: IterationState,
  answer: readonly string[],
  { id, name }: ListOperation,
): void {
  const { probe } = state;
  state.probe = undefined;
  if (!probe || answer.join() !== probe.answer) return;
  if (probe.step === "before") {
    state.probe = { ...probe, step: "again" };
    return;
  }
  const { offset } = probe;
  throw new ListError(
    "OFFSET_IGNORED",
    `The server ignores \`offset\`: ${offset - 1} and ${offset} bring the same page`,
    { operation: id, operationName: name },
  );
}
