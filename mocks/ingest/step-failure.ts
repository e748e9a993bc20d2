// Why a frame failed, by the last of its steps, in the words of callTracer.
import type { Step } from "./struct-logs.ts";

/** The instructions that a static call forbids. */
const CHANGING: ReadonlySet<string> = new Set([
  ...["SSTORE", "TSTORE", "CREATE", "CREATE2", "SELFDESTRUCT"],
  ...["LOG0", "LOG1", "LOG2", "LOG3", "LOG4"],
]);
/** A write to storage needs more gas than the stipend of a call. */
const STORAGE_STIPEND = 2300;
const MAX_STACK = 1024;
const MAX_DEPTH = 1024;
/** The price of JUMP and JUMPI. */
const JUMPS = new Map([
  ["JUMP", 8],
  ["JUMPI", 10],
]);
const MAX_CODE = 24_576n;

/** The error of a frame that ended with this step. */
export function failureOf(last: Step, { isStatic }: { readonly isStatic: boolean }): string {
  const { op, gas, gasCost } = last;
  if (op === "REVERT") return "execution reverted";
  if (op === "INVALID" || !/^[A-Z]/.test(op) || /unknown|not defined|opcode/i.test(op))
    return `invalid opcode: ${op}`;
  if (isStatic && (CHANGING.has(op) || (op === "CALL" && last.word(2) !== 0n)))
    return "write protection";
  if (op === "SSTORE" && gas <= STORAGE_STIPEND) return "out of gas";
  // The new contract's code was refused.
  if (op === "RETURN" && gasCost < gas)
    return last.word(1) > MAX_CODE
      ? "max code size exceeded"
      : "contract creation code storage out of gas";
  const jump = JUMPS.get(op);
  if (jump !== undefined && gas >= jump) return "invalid jump destination";
  if (op === "RETURNDATACOPY" && gasCost < gas) return "return data out of bounds";
  if (gasCost > 0 && gasCost < gas)
    return last.height >= MAX_STACK ? "stack overflow" : "stack underflow";
  return "out of gas";
}

/** The error of a call that failed without a step. */
export function failureWithoutSteps(isCreation: boolean, consumed: boolean, depth: number): string {
  if (consumed) return isCreation ? "contract address collision" : "precompile failed";
  return depth > MAX_DEPTH ? "max call depth exceeded" : "insufficient balance for transfer";
}
