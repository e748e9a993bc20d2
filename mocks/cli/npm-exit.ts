// Notices that the npm which started this process has ended.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How often it looks. */
const INTERVAL_MS = 250;

/** The name and parent of a process; undefined if the system does not report them. */
function describeProcess(
  pid: number,
): { readonly name: string; readonly parent: number } | undefined {
  try {
    const text =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1")
        : execFileSync("ps", ["-o", "ppid=,comm=", "-p", `${pid}`], { encoding: "utf8" });
    const [, parent = "", name = ""] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** The process of npm: this one's parent, or the parent of the shell between them. */
function findNpm(): number {
  const parent = describeProcess(process.ppid);
  const isShell = parent !== undefined && /(^|\/|-)(sh|ash|bash|dash|zsh|ksh)$/.test(parent.name);
  return isShell ? parent.parent : process.ppid;
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Calls `ended` once the npm that started this process has ended. It keeps no process running. */
export function onNpmExit(ended: () => void): void {
  const npm = findNpm();
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    ended();
  }, INTERVAL_MS);
  timer.unref();
}
