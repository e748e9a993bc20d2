// The traces of a block, from either form that nodes return.
import * as z from "zod/mini";
import { FRAME_TYPES, type FrameType } from "../chain/frame-type.ts";
import type { Frame } from "../chain/records.ts";

/** A frame below the root, without its transaction. */
export type UnboundFrame = Omit<Frame, "transaction">;

/** The trace of a transaction. */
export interface Trace {
  /** The error of the root frame. */
  readonly error: string | null;
  /** The frames below the root, in execution order. */
  readonly frames: readonly UnboundFrame[];
}

/** A reward in trace_block: new coins for an account. */
export interface TraceReward {
  readonly author: `0x${string}`;
  readonly value: bigint;
}

export interface BlockTraces {
  /** By position in the block. */
  readonly traces: readonly Trace[];
  readonly rewards: readonly TraceReward[];
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
