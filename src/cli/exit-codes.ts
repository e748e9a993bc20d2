// How a command fails: the exit codes, which say who can fix it, and the operating system's errors in words.
import { type ErrorCode, isExplorerError } from "../errors/index.ts";

/** Every exit code and its meaning. */
export const exitCodes = {
  success: { code: 0, meaning: "success" },
  failed: {
    code: 1,
    meaning: "the explorer returned an error, or a response that breaks the contract",
  },
  usage: { code: 2, meaning: "invalid command line; no request was made" },
  unreachable: { code: 3, meaning: "connection failed or timed out" },
  reorganised: {
    code: 4,
    meaning: "the chain was reorganised during an export, which has records that no longer exist",
  },
  interrupted: { code: 130, meaning: "interrupted" },
} as const;

/** How a run ended. */
export type Ending = keyof typeof exitCodes;

/** An export has records that are no longer on the chain. */
export class ReorganisedExportError extends Error {}

/** How a run ends that failed with an error of the client. */
const endings: Readonly<Record<Exclude<ErrorCode, "BATCH">, Ending>> = {
  PARAMETER: "usage",
  CONNECTION: "unreachable",
  TIMEOUT: "unreachable",
  REDIRECT: "failed",
  RESPONSE_VALIDATION: "failed",
  API: "failed",
  AUTHENTICATION: "failed",
  NOT_FOUND: "failed",
  NOT_AN_EXPLORER: "failed",
  INVALID_REQUEST: "failed",
  RATE_LIMIT: "failed",
  SERVER: "failed",
  NOT_VERIFIED: "failed",
  VERIFICATION: "failed",
  LIST: "failed",
};

/** How a run ends that failed with this error; of a batch, what all its errors have in common. */
export function endingOf(error: unknown): Ending {
  if (isExplorerError(error, "BATCH")) {
    const [ending = "failed", ...others] = new Set([...error.errors.values()].map(endingOf));
    return others.length ? "failed" : ending;
  }
  if (error instanceof ReorganisedExportError) return "reorganised";
  if (!isExplorerError(error)) return "failed";
  return endings[error.code as keyof typeof endings];
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
 * The message of an error. An error of the operating system is put in words: "names.txt does not
 * exist (ENOENT)". Pass `file` for reads, whose errors do not name the path.
 */
export function inWords(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "", path = file, syscall = "" } = error as NodeJS.ErrnoException;
  const problem = PROBLEMS[code];
  if (problem === undefined || path === undefined) return error.message;
  if (syscall.startsWith("spawn")) return `${path} is not installed, or not on the PATH (${code})`;
  return `${path} ${problem} (${code})`;
}
