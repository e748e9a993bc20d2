// The types of call frames, and what they do.

/** `unknown` is a frame of one chain only, such as Arbitrum's moves of coins outside of code. */
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

/** Whether a frame of this type moves coins. The others repeat the value of their caller. */
export const movesValue = (type: FrameType): boolean => !WITHOUT_VALUE.has(type);
