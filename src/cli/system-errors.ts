// The operating system's errors in words: what is wrong with a file, a folder or a program.

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

/** The message of an error; that of a system call is put in words: "names.txt does not exist (ENOENT)". Reading names no path by itself. */
export function inWords(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "", path = file, syscall = "" } = error as NodeJS.ErrnoException;
  const problem = PROBLEMS[code];
  if (problem === undefined || path === undefined) return error.message;
  if (syscall.startsWith("spawn")) return `${path} is not installed, or not on the PATH (${code})`;
  return `${path} ${problem} (${code})`;
}
