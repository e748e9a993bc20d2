// Finds the newest block that a list has records of, whatever its order and whether or not records name their block; and splits the list there.
import { blockOf, type ListRecord, type Range } from "./page.ts";

/**
 * The newest block with records from a block on; undefined if there is none. `read` returns some records from a block on.
 */
export async function findNewestBlock(
  read: (startBlock: bigint) => Promise<readonly ListRecord[]>,
  from: bigint,
): Promise<bigint | undefined> {
  /** The newest block known to have records from a block on. */
  const newestFrom = async (startBlock: bigint) => {
    const records = await read(startBlock);
    return records.reduce<bigint | undefined>((newest, record) => {
      const block = blockOf(record) ?? startBlock;
      return newest === undefined || block > newest ? block : newest;
    }, undefined);
  };
  let low = await newestFrom(from);
  if (low === undefined) return undefined;
  let high: bigint | undefined;
  // Doubles the step until there are no records, then bisects.
  for (let step = 1n; high === undefined || high - low > 1n; step *= 2n) {
    const middle: bigint = high === undefined ? low + step : (low + high) / 2n;
    const newest = await newestFrom(middle);
    if (newest === undefined) high = middle;
    else low = newest;
  }
  return low;
}

/** Up to `parts` ranges of blocks that together are `whole`. `read` returns some records from a block on. */
export async function splitBlocks(
  read: (startBlock: number) => Promise<readonly ListRecord[]>,
  { from: start, to: end }: Range,
  parts: number,
): Promise<Range[]> {
  const [from, last] = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER];
  const newest = await findNewestBlock(
    async (block) => (block > last ? [] : read(Number(block))),
    BigInt(from),
  );
  const to = Math.min(Number(newest ?? from), last);
  const count = Math.max(1, Math.min(parts, to - from + 1));
  const edge = (part: number) => from + Math.round(((to - from + 1) / count) * part);
  return Array.from({ length: count }, (_, part) => ({
    from: part ? edge(part) : start,
    // Blocks that arrive belong to the last part.
    to: part < count - 1 ? edge(part + 1) - 1 : end,
  }));
}
