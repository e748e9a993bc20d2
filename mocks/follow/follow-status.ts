// Formats a follower's status as a line, and tells final failures from temporary ones.
import type { FollowStatus } from "../chain/live-chain.ts";
import { IngestError } from "../ingest/read.ts";
import { PostError } from "./rpc/post.ts";
import { StoreError } from "./store/chain-store.ts";

/** Milliseconds for which the line shows a failure. */
const RECENT = 10_000;

export function describeStatus(status: FollowStatus): string {
  const { head, nodeHead, blocksPerSecond, transactionsPerSecond, secondsLeft, lastError, swept } =
    status;
  if (swept !== null)
    return `requesting the state of the accounts in ${swept.of} blocks: ${swept.blocks} done`;
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

/** Whether a retry would fail again, whatever the node does. */
export const isFinal = (error: unknown): boolean =>
  error instanceof FollowError ||
  error instanceof StoreError ||
  (error instanceof PostError && error.kind === "final");
