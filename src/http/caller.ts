// Adds the caller's functions to the stack of an error, because an error that is created after a
// response arrived lacks them.
import { ExplorerError } from "../errors/index.ts";

/** Captures the callers of `method`, and returns a handler that adds them to an error. */
export function nameCaller(method: unknown): (error: unknown) => never {
  const caller: { readonly stack?: string } = {};
  // Some engines lack `captureStackTrace`. It is cheap, because `stack` is formatted when read.
  (Error as { captureStackTrace?: (target: object, above: unknown) => void }).captureStackTrace?.(
    caller,
    method,
  );
  return (error) => {
    if (error instanceof ExplorerError && caller.stack !== undefined) {
      const { stack = "" } = error;
      const frames = caller.stack.split("\n").slice(1);
      const value = [stack, ...frames.filter((frame) => !stack.includes(frame))].join("\n");
      Object.defineProperty(error, "stack", { value, writable: true, configurable: true });
    }
    throw error;
  };
}
