// Ends an iteration that makes no progress.
import { ListError } from "../errors/index.ts";
import type { IterationState } from "./iteration-state.ts";
import type { ListOperation } from "./list-records.ts";

/** How many requests in a row may bring nothing new. */
const MAX_FRUITLESS = 1000;
/** How often the last record read may be gone. */
const MAX_DEEP = 100;

/** Counts the answers that bring nothing new. Throws a {@link ListError} if there are too many. */
export function noteProgress(
  state: IterationState,
  isNew: boolean,
  { id, name }: ListOperation,
): void {
  state.fruitless = isNew ? 0 : state.fruitless + 1;
  if (state.fruitless < MAX_FRUITLESS && state.deep < MAX_DEEP) return;
  throw new ListError(
    "NO_PROGRESS",
    `${state.fruitless} requests in a row brought nothing new, and the last record read was lost ${state.deep} times`,
    {
      operation: id,
      operationName: name,
      lines: ["The list changes faster than it can be read, or the server repeats its pages."],
    },
  );
}
