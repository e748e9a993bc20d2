// The progress of a follower: its rate, a line for people, and its failures, each reported once.
import { messageOf } from "../../../src/errors/base.ts";
import type { FollowStatus } from "../../double/chain/live-chain.ts";
import { IngestError } from "../../double/sources/ingest/read.ts";
import { PostError } from "./rpc/post.ts";
import { StoreError } from "./store/store-error.ts";

/** How long a failure is part of the line, in milliseconds. */
const RECENT = 10_000;

/** The status in a line, for people. */
export function describeStatus(status: FollowStatus): string {
  const { head, nodeHead, blocksPerSecond, transactionsPerSecond, secondsLeft, lastError, swept } =
    status;
  if (swept !== null)
    return `requesting the state of what ${swept.of} blocks touched: ${swept.blocks} done`;
  if (status.state === "restoring") return "reading the stored chain";
  if (nodeHead === null) return `waiting for the node: ${lastError?.message ?? "no response yet"}`;
  const rates =
    blocksPerSecond === null || transactionsPerSecond === null
      ? ""
      : `, ${Math.round(blocksPerSecond)} blocks/s, ${Math.round(transactionsPerSecond)} transactions/s`;
  const left = secondsLeft === null ? "" : `, ${Math.ceil(secondsLeft)} s left`;
  const isRecent = lastError !== null && Date.now() - lastError.at.getTime() < RECENT;
  const trouble = isRecent ? `; ${lastError.message}` : "";
  return `at block ${head ?? "-"} of ${nodeHead}${rates}${left}${trouble}`;
}

/** An error that no later attempt can fix: the user has to act. */
export class FollowError extends IngestError {}

/** Whether an update that failed like this will fail again, whatever the node does. */
export const isFinal = (error: unknown): boolean =>
  error instanceof FollowError ||
  error instanceof StoreError ||
  (error instanceof PostError && error.kind === "final");

/** The rate of taking over blocks, since a catch-up began. */
export class CatchUp {
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

/** Passes on the message of an error, unless it repeats that of the error before. */
export function oncePerMessage(report: (message: string) => void): (error: unknown) => void {
  let last: string | undefined;
  return (error) => {
    const message = messageOf(error);
    if (message !== last) report(message);
    last = message;
  };
}
