// The types of call frames, and what they do.

/**
 * `unknown` stands for a frame type that only one chain has. Arbitrum, for example, moves coins
 * outside of contract code.
 */
export const FRAME_TYPES = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
  "unknown",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

/** Whether a frame of this type creates a contract. */
export const isCreation = (type: FrameType): boolean => type === "create" || type === "create2";

const WITHOUT_VALUE: ReadonlySet<FrameType> = new Set(["delegatecall", "staticcall", "callcode"]);

/**
 * Whether a frame of this type moves coins. The value of any other frame moves nothing: a
 * delegatecall, for example, repeats the value of its caller.
 */
export const movesValue = (type: FrameType): boolean => !WITHOUT_VALUE.has(type);
