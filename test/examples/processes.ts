// Which processes still run in a folder, as Linux tells them.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect } from "vitest";

/** The command lines of the processes whose working directory is a folder. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

/** Whether the system tells the processes of a folder. */
const tellsProcesses = existsSync("/proc/self/cwd");
if (!tellsProcesses)
  console.warn("*** No /proc: tests do not see whether examples leave processes behind. ***");

/** Fails if a process in a folder has not ended soon. */
export async function expectNoProcess(folder: string): Promise<void> {
  if (!tellsProcesses) return;
  await expect.poll(() => processesIn(folder)).toEqual([]);
}
