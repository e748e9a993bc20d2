// Suggestions for typing mistakes: the known word nearest to a given one.
import type { Issue } from "./mismatch.ts";

/** The Levenshtein distance of two words. */
export function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}

/** Longer words are not compared: that takes time, and they are no typing mistakes. */
const MAX_LENGTH = 64;

/** The nearest known word, where at most half of the letters differ. */
export function closestMatch(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let smallest = Math.max(1, Math.floor(word.length / 2)) + 1;
  for (const candidate of known) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase());
    if (away < smallest) {
      best = candidate;
      smallest = away;
    }
  }
  return best;
}

/** `; did you mean "from"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const match = closestMatch(word, known);
  return match === undefined || match === word ? "" : `; did you mean ${JSON.stringify(match)}?`;
}

/** The issue of an option or field that does not exist. */
export function unknownOption(path: Issue["path"], name: string, known: readonly string[]): Issue {
  const expected = known.length ? `one of ${known.join(", ")}` : "no field";
  const whole = [...path, name];
  const hint = didYouMean(name, known) || `; expected ${expected}`;
  const problem = `unknown option ${whole.join(".")}${hint}`;
  return { path: whole, expected, received: name, options: known, problem, isUnknown: true };
}
