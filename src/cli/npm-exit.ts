// Notices that the process that started this one has ended.

/** How often it looks. */
const INTERVAL_MS = 250;

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Calls `ended` once the parent process has ended. It keeps no process running. */
export function onParentExit(ended: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    // An orphan gets another parent, except on Windows.
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    ended();
  }, INTERVAL_MS);
  timer.unref();
}
