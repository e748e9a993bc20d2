// Exit codes, which say who can fix a failure, and the words for errors of the operating system.
import { type ErrorCode, isExplorerError } from "../errors/index.ts";

/** Every exit code and its meaning. */
export const exitCodes = {
  success: { code: 0, meaning: "success" },
  failed: {
    code: 1,
    meaning: "the explorer returned an error, or a response that breaks the contract",
  },
  usage: { code: 2, meaning: "invalid command line; no record was read" },
  unreachable: { code: 3, meaning: "connection failed or timed out" },
  reorganised: {
    code: 4,
    meaning: "the chain was reorganised during an export, so the file has outdated records",
  },
  interrupted: { code: 130, meaning: "interrupted" },
} as const;

/** The way in which a run ended. */
export type Ending = keyof typeof exitCodes;

/** An export has records that are no longer on the chain. */
export class ReorganisedExportError extends Error {}

/** Endings of errors of the client; all others are "failed". */
const endings: Readonly<Partial<Record<ErrorCode, Ending>>> = {
  PARAMETER: "usage",
  CONNECTION: "unreachable",
  TIMEOUT: "unreachable",
};

/** Returns how a run with an error ends. A batch ends like its errors, if all end alike. */
export function endingOf(error: unknown): Ending {
  if (isExplorerError(error, "BATCH")) {
    const [ending = "failed", ...others] = new Set([...error.errors.values()].map(endingOf));
    return others.length ? "failed" : ending;
  }
  if (error instanceof ReorganisedExportError) return "reorganised";
  return (isExplorerError(error) && endings[error.code]) || "failed";
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is below a file, not a folder",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be used by this user (permission denied)",
  EPERM: "may not be used by this user (operation not permitted)",
  EROFS: "is on a read-only file system",
  ENOSPC: "has no space left on its disk",
  EMFILE: "could not be opened: too many files are open",
};

/**
 * Returns the message of an error, and explains errors of the operating system: "names.txt does not
 * exist (ENOENT)". Pass `file` for reads, because their errors do not name the path.
 */
export function inWords(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "", path = file, syscall = "" } = error as NodeJS.ErrnoException;
  const problem = PROBLEMS[code];
  if (problem === undefined || path === undefined) return error.message;
  if (syscall.startsWith("spawn")) return `${path} is not installed, or not on the PATH (${code})`;
  return `${path} ${problem} (${code})`;
}
