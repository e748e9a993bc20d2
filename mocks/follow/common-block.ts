// Finds the last block that two chains share, in few questions: first near the head, then by bisection.

/**
 * The last number from `first` to `last` where the chains are the same; undefined if there is none. Two chains that differ at a block
 * differ at all later ones.
 */
export async function lastCommonBlock(
  first: number,
  last: number,
  isSame: (number: number) => Promise<boolean>,
): Promise<number | undefined> {
  let different = last + 1;
  let step = 1;
  let same: number | undefined;
  for (let at = last; same === undefined && at >= first; at -= step, step *= 2) {
    if (await isSame(at)) same = at;
    else different = at;
  }
  // The steps may have jumped over the first block.
  let low = same ?? first - 1;
  while (different - low > 1) {
    const middle = Math.floor((low + different) / 2);
    if (await isSame(middle)) low = middle;
    else different = middle;
  }
  return low < first ? undefined : low;
}
