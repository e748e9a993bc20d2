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

const CREATIONS: ReadonlySet<FrameType> = new Set(["create", "create2"]);
const VALUE_MOVING: ReadonlySet<FrameType> = new Set([
  ...CREATIONS,
  "call",
  "selfdestruct",
  "unknown",
]);

/** Whether a frame of this type creates a contract. */
export const isCreation = (type: FrameType): boolean => CREATIONS.has(type);

/** Whether a frame of this type moves coins. The others repeat the value of their caller. */
export const movesValue = (type: FrameType): boolean => VALUE_MOVING.has(type);
