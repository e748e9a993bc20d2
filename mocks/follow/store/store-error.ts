// The error for a store that cannot be opened or written, and what to do about it.
import { messageOf } from "../../../src/errors/base.ts";

/** Thrown if the folder that keeps a followed chain cannot be used. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Advice for the user, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on the disk",
  EDQUOT: "free some space on the disk",
  EACCES: "let this user write to the folder",
  EPERM: "let this user write to the folder",
  EROFS: "choose a folder that can be written to",
  ENOENT: "choose a folder that can be written to",
  ENOTDIR: "choose a path that is a folder",
  EEXIST: "choose a path that is a folder",
};

/** An error of the file system as one of the store: what failed, why, and what to do. */
export function storeError(what: string, cause: unknown): StoreError {
  const advice = ADVICE[String(Object(cause).code)];
  const hint = advice === undefined ? "" : `. What to do: ${advice}`;
  return new StoreError(`${what}: ${messageOf(cause)}${hint}`, { cause });
}
