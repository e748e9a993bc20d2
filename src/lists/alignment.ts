// Finds the last records read in a page, by their keys.

/** How many of the last keys, ending with the last one, end at an index of the page. */
function matchLength(keys: readonly string[], lastKeys: readonly string[], index: number): number {
  let length = 0;
  while (
    length <= index &&
    length < lastKeys.length &&
    keys[index - length] === lastKeys.at(-1 - length)
  )
    length++;
  return length;
}

/** Whether everything in the page up to an index is what was read last. */
export const matchesUpTo = (keys: readonly string[], lastKeys: readonly string[], index: number) =>
  index >= 0 && matchLength(keys, lastKeys, index) === Math.min(index + 1, lastKeys.length);

/**
 * The index of the last record read; -1 if the page does not hold it. With `ambiguous`, the records before the page may
 * have the same keys, so a match that begins with the page proves nothing.
 */
export function findLastRead(
  keys: readonly string[],
  lastKeys: readonly string[],
  expected: number,
  ambiguous: boolean,
): number {
  if (matchesUpTo(keys, lastKeys, expected)) return expected;
  // The transfers of one transaction may have the same key: the longest match tells them apart.
  let best = -1;
  for (let index = 0; index < keys.length; index++)
    if (matchLength(keys, lastKeys, index) > matchLength(keys, lastKeys, best)) best = index;
  const unproven = ambiguous && best + 1 < lastKeys.length && matchesUpTo(keys, lastKeys, best);
  return unproven ? -1 : best;
}
