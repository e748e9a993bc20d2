// The types of call frames, and what each does: which move coins, which create a contract.

/** A call in one of four ways, a creation in one of two, or the end of a contract. */
export const FRAME_TYPES = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

const CREATIONS: ReadonlySet<FrameType> = new Set(["create", "create2"]);
const VALUE_MOVING: ReadonlySet<FrameType> = new Set([...CREATIONS, "call", "selfdestruct"]);

/** Whether a frame of this type creates a contract. */
export const isCreation = (type: FrameType): boolean => CREATIONS.has(type);

/** Whether the value of a frame of this type moves; the others only repeat their caller's. */
export const movesValue = (type: FrameType): boolean => VALUE_MOVING.has(type);
