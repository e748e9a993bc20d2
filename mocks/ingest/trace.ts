// What the traces of a block tell, in whichever form a node gives them.
import * as z from "zod/mini";
import { FRAME_TYPES, type Frame, type FrameType } from "../chain/records.ts";

/** A frame below the root of a transaction that is still to be read. */
export type UnboundFrame = Omit<Frame, "transaction">;

/** What a transaction's trace tells. */
export interface Trace {
  /** The error of the root frame. */
  readonly error: string | null;
  /** The frames below the root, in execution order. */
  readonly frames: readonly UnboundFrame[];
}

/** What issuance a trace_block tells of: new coins for an account. */
export interface Reward {
  readonly author: `0x${string}`;
  readonly value: bigint;
}

export interface BlockTraces {
  /** By position in the block. */
  readonly traces: readonly Trace[];
  readonly rewards: readonly Reward[];
}

export type FrameFields = Omit<UnboundFrame, "traceAddress" | "undone" | "subTraces">;

const TYPES: ReadonlyMap<string, FrameType> = new Map([
  ...FRAME_TYPES.map((type) => [type, type] as const),
  ["suicide", "selfdestruct"],
]);

/** A type of call frame, in any case. */
export const frameType = z.transform<unknown, FrameType>((given, { issues }) => {
  const word = typeof given === "string" ? given.toLowerCase() : given;
  const type = typeof word === "string" ? TYPES.get(word) : undefined;
  if (type !== undefined) return type;
  issues.push({ code: "custom", message: "a type of call frame", input: word });
  return z.NEVER;
});
