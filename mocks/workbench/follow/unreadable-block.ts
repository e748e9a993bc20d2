// The block of a node that cannot be taken over: it cannot be read, does not follow the one below it, or is missing.
import * as z from "zod/mini";
import { messageOf } from "../../../src/errors/base.ts";
import { check } from "../../../src/models/issues.ts";
import type { RpcBlock } from "../../double/sources/ingest/block.ts";
import { hash } from "../../double/sources/ingest/node-schemas.ts";
import { IngestError } from "../../double/sources/ingest/read.ts";

/** A block that stays unreadable, does not follow the one below it, or is missing below the head. */
export interface UnreadableBlock {
  readonly number: number;
  /** Undefined if the node does not have the block, or not even its hash can be read. */
  readonly hash: string | undefined;
  /** The hash of the block below, if that is not the parent that this one names. */
  readonly below: string | undefined;
  readonly error: IngestError;
}

/** A block, and the one below it that is not its parent. */
export interface UnlinkedBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly below: string;
}

/** Attempts to read a block before it counts as unreadable: the node may have replaced it meanwhile. */
const MAX_READS = 3;

/** What to do, by the words of the error. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/timestamp/, "set the node's time to seconds since 1970"],
  [
    /twice|already has/,
    "the node mined the same transaction twice; revert it (evm_revert) or restart the node",
  ],
];

const hashSchema = z.object({ block: z.object({ hash }) });

export class UnreadableBlocks {
  #suspect: (UnreadableBlock & { readonly reads: number }) | undefined;

  /** The block that stays unreadable, if there is one. */
  get current(): UnreadableBlock | undefined {
    return this.#suspect !== undefined && this.#suspect.reads >= MAX_READS
      ? this.#suspect
      : undefined;
  }

  /** Whether a block will count as unreadable if it is not read now. */
  isLastAttempt(number: number): boolean {
    return this.#suspect?.number === number && this.#suspect.reads === MAX_READS - 1;
  }

  /** Reading a block failed. */
  note(number: number, block: RpcBlock, cause: unknown): void {
    const hash = check(hashSchema, block).value?.block.hash;
    this.#suspects({ number, hash, below: undefined, error: describeUnreadable(number, cause) });
  }

  /** A block names another parent than the block below it. */
  noteUnlinked(block: UnlinkedBlock): void {
    const { number, hash, below } = block;
    this.#suspects({ number, hash, below, error: describeUnlinked(block) });
  }

  /** The node does not have a block below its head. */
  noteMissing(number: number, head: number): void {
    const error = describeMissing(number, head);
    this.#suspects({ number, hash: undefined, below: undefined, error });
  }

  #suspects(block: UnreadableBlock): void {
    const before = this.#suspect;
    const isSame =
      before?.number === block.number && before.hash === block.hash && before.below === block.below;
    this.#suspect = { ...block, reads: isSame ? before.reads + 1 : 1 };
  }

  clear(): void {
    this.#suspect = undefined;
  }
}

function describeUnreadable(number: number, cause: unknown): IngestError {
  const reason = messageOf(cause);
  const advice = ADVICE.find(([words]) => words.test(reason))?.[1] ?? "check the node's response";
  return new IngestError(
    `cannot read block ${number}; the blocks before it are served, and it is tried again when the node replaces it: ${reason}. What to do: ${advice}`,
    {},
    cause,
  );
}

const describeUnlinked = ({ number, hash, parentHash, below }: UnlinkedBlock): IngestError =>
  new IngestError(
    `the node's block ${number} (${hash}) does not follow its block ${number - 1} (${below}): its parent is ${parentHash}; the blocks before it are served, and it is tried again when the node replaces one of the two. What to do: reset the node (anvil_reset) or restart it, or begin at this block (--from-block ${number})`,
  );

const describeMissing = (number: number, head: number): IngestError =>
  new IngestError(
    `the node does not have block ${number}, though its head is block ${head}; the blocks before it are served, and it is tried again when the node has it. What to do: reset the node (anvil_reset) or restart it, or begin after the gap (--from-block)`,
  );
