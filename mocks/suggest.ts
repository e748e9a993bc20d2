// The word someone probably meant.

/** How many letters must change to make one word of the other. */
export function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}

/** Longer words are no typing mistakes, and comparing them takes time. */
const maxLength = 64;

/** The nearest of the known words, if it is near enough to be meant: at most half of the letters differ. */
export function closestMatch(word: string, known: Iterable<string>): string | undefined {
  if (word.length > maxLength) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 2)) + 1;
  for (const candidate of known) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase());
    if (away < least) {
      best = candidate;
      least = away;
    }
  }
  return best;
}

/** `; did you mean "from"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const word_ = closestMatch(word, known);
  return word_ === undefined || word_ === word ? "" : `; did you mean ${JSON.stringify(word_)}?`;
}
