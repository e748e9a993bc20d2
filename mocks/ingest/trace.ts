// The traces of a block, from either form that nodes return.
import * as z from "zod/mini";
import { isHex } from "../../src/models/hex.ts";
import { toHex, WORD_DIGITS, wordOf } from "../chain/hex.ts";
import { FRAME_TYPES, type FrameType } from "../chain/kinds.ts";
import type { Frame, Hex } from "../chain/records.ts";

/** A frame below the root, without its transaction. */
export type UnboundFrame = Omit<Frame, "transaction">;

/** The trace of a transaction. */
export interface Trace extends Pick<Frame, "error" | "output"> {
  /** The frames below the root, in execution order. `error` and `output` are of the root. */
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

/** `Error(string)`, which Solidity reverts with. */
const ERROR = "0x08c379a0";

/**
 * What a failed frame returned, from the first of these that says so: bytes, or the text that a node decoded from them. Undefined for a
 * frame without an error, or without a reason.
 */
export function outputOf(error: string | null, ...given: readonly unknown[]): Hex | undefined {
  if (error === null) return undefined;
  const found = given.find((one) => typeof one === "string" && one !== "" && one !== "0x");
  if (typeof found !== "string") return undefined;
  if (isHex(found)) return found.toLowerCase() as Hex;
  const bytes = new TextEncoder().encode(found);
  const digits = toHex(bytes, 0, bytes.length).slice(2);
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return `${ERROR}${word(32)}${word(bytes.length)}${padded}`;
}

const word = (value: number): string => wordOf(BigInt(value)).slice(2);
