// Remembers the block of a node that cannot be read, and says what to do about it: what lies before it is served.
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { check } from "../../src/models/issues.ts";
import type { RpcBlock } from "../ingest/block.ts";
import { IngestError } from "../ingest/ingest-error.ts";
import { hash } from "../ingest/values.ts";

/** A block that stays unreadable. */
export interface UnreadableBlock {
  readonly number: number;
  /** Undefined if not even its hash can be read. */
  readonly hash: string | undefined;
  readonly error: IngestError;
}

/** How often a block is read before it counts as unreadable: the node may have replaced it while it was asked. */
const MAX_READS = 3;

/** What to do, by words of the error. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /gasLimit/,
    "start the node with a block gas limit below 2^53, such as anvil --gas-limit 30000000",
  ],
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

  /** Reading a block failed. */
  note(number: number, block: RpcBlock, cause: unknown): void {
    const hash = check(hashSchema, block).value?.block.hash;
    const isSame = this.#suspect?.number === number && this.#suspect.hash === hash;
    const reads = isSame ? (this.#suspect?.reads ?? 0) + 1 : 1;
    this.#suspect = { number, hash, error: describeUnreadable(number, cause), reads };
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
