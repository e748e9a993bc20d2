// Suggests the known word that is nearest to a mistyped word.
import type { Issue } from "./mismatch.ts";

/** Returns the Levenshtein distance of two words. */
export function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** A longer word is not compared, because that takes time, and it is no typing mistake. */
const MAX_LENGTH = 64;

/** Returns the nearest candidate, of which at most half of the letters differ. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let smallest = Math.max(1, Math.floor(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase());
    if (away < smallest) {
      best = candidate;
      smallest = away;
    }
  }
  return best;
}

/** Returns a hint such as `; did you mean "from"?`; empty if no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const match = closestMatch(word, candidates);
  return match === undefined || match === word ? "" : `; did you mean ${JSON.stringify(match)}?`;
}

/** Creates the issue of an option or field that does not exist. */
export function unknownOption(
  parent: Issue["path"],
  name: string,
  options: readonly string[],
): Issue {
  const expected = options.length ? `one of ${options.join(", ")}` : "no field";
  const path = [...parent, name];
  const hint = didYouMean(name, options) || `; expected ${expected}`;
  const problem = `unknown option ${path.join(".")}${hint}`;
  return { path, expected, received: name, options, problem, isUnknown: true };
}
