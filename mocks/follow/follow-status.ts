// How far a follower is: the node's head and its own, the rate, what is missing, and what failed last.

/** How far a follower is. */
export interface FollowStatus {
  /**
   * - `connecting`: the node has not responded yet.
   * - `catching-up`: blocks are being fetched.
   * - `following`: at the node's head.
   * - `failing`: the last update failed; following continues.
   * - `stuck`: the node's next block cannot be read; see `lastError`.
   */
  readonly state: "connecting" | "catching-up" | "following" | "failing" | "stuck";
  /** The number of the last block taken over; null if there is none. */
  readonly head: number | null;
  /** The number of the node's last block when it was last asked; null before. */
  readonly nodeHead: number | null;
  /** Blocks behind the node; null before it responds. */
  readonly lag: number | null;
  /** Blocks taken over. */
  readonly blocks: number;
  /** Transactions taken over. */
  readonly transactions: number;
  /** Blocks per second while catching up; null at the head. */
  readonly blocksPerSecond: number | null;
  /** Transactions per second while catching up; null at the head. */
  readonly transactionsPerSecond: number | null;
  /** Seconds until the node's head at this rate; null if it is not known. */
  readonly secondsLeft: number | null;
  /** What the node did not tell, and will be asked again: `eth_call 0x…`. */
  readonly missing: readonly string[];
  /** The last failure, also after it has passed. */
  readonly lastError: { readonly message: string; readonly at: Date } | null;
}

/** The status in a line, for people. */
export function describeStatus(status: FollowStatus): string {
  const { head, nodeHead, blocksPerSecond, transactionsPerSecond, secondsLeft, lastError } = status;
  if (nodeHead === null)
    return `waiting for the node${lastError === null ? "" : `: ${lastError.message}`}`;
  const rates =
    blocksPerSecond === null || transactionsPerSecond === null
      ? ""
      : `, ${Math.round(blocksPerSecond)} blocks/s, ${Math.round(transactionsPerSecond)} transactions/s`;
  const left = secondsLeft === null ? "" : `, ${Math.ceil(secondsLeft)} s left`;
  return `at block ${head ?? "-"} of ${nodeHead}${rates}${left}`;
}

/** The rate of taking over blocks, since a catch-up began. */
export class Progress {
  #since: number | undefined;
  #blocks = 0;
  #transactions = 0;

  /** Counts a block. */
  add(transactions: number): void {
    this.#since ??= performance.now();
    this.#blocks += 1;
    this.#transactions += transactions;
  }

  reset(): void {
    this.#since = undefined;
    this.#blocks = 0;
    this.#transactions = 0;
  }

  /** Per second; null as long as there is nothing to count. */
  rates(): { readonly blocks: number; readonly transactions: number } | null {
    const seconds = this.#since === undefined ? 0 : (performance.now() - this.#since) / 1000;
    if (seconds === 0) return null;
    return { blocks: this.#blocks / seconds, transactions: this.#transactions / seconds };
  }
}
