// Cursors: the states of an iteration as text, with the version of their format.
import { ParameterError } from "../errors/index.ts";
import { checkOwn } from "../models/check.ts";
import type { OpenList } from "./page.ts";
import { type State, states, type Wish } from "./state.ts";

/** The version of the cursor format; a release that changes the format increments it. */
const VERSION = 4;

/** The cursor of an iteration. */
export function cursorOf({ name }: OpenList, given: readonly State[]): string {
  const kept = given.map(({ progress: { wish, limit, ...rest }, ...phase }) => ({
    ...phase,
    // The caller's own limit is not kept: the next caller may set another.
    progress: { ...rest, limit: limit < wish.limit ? limit : Number.MAX_SAFE_INTEGER },
  }));
  return JSON.stringify([VERSION, name, kept]);
}

/** The states that the `resume` cursor holds. Throws a {@link ParameterError} if it is not a cursor of this list. */
export function resumedStates(
  { iteration, name, operation }: OpenList,
  wish: Wish,
): readonly State[] | undefined {
  const { resume } = iteration;
  if (resume === undefined) return undefined;
  const { expected, value } = readCursor(resume, name);
  if (!value) {
    const issue = { path: ["resume"], expected, received: resume };
    throw new ParameterError("Invalid resume cursor", [issue], { operation: operation.id });
  }
  return value.map((state) => {
    const { limit } = state.progress;
    return { ...state, progress: { ...state.progress, wish, limit: Math.min(limit, wish.limit) } };
  });
}

function readCursor(
  resume: unknown,
  name: string,
): { readonly expected: string; readonly value?: readonly State[] | undefined } {
  const expected = `a cursor of a page of ${name}`;
  try {
    const [version, list, given] = JSON.parse(String(resume));
    if (version === name || (list === name && version !== VERSION)) {
      const age = version > VERSION ? "a newer" : "an older";
      return {
        expected: `${expected} (this one was made by ${age} release; start again from the first page, without \`resume\`)`,
      };
    }
    const { value } = list === name ? checkOwn(states, given) : {};
    return { expected, value: value as readonly State[] | undefined };
  } catch {
    return { expected };
  }
}
