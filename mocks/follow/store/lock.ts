// One process at a time writes to a store: a file with the process's id, taken over from a process that was killed.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { StoreError } from "./store-error.ts";

const NAME = "store.lock";

/** The folders that this process has locked: its id says nothing of a process before it with the same id, as in containers. */
const own = new Set<string>();

/** When a process began, on Linux: ids are used again. Empty on other systems. */
function startOf(pid: number): string {
  try {
    // The name of the program, in brackets, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1);
    return fields?.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** The process that a lock names; undefined if it has ended. */
function holderOf(file: string): number | undefined {
  const [pid = 0, start = ""] = readFileSync(file, "utf8").trim().split(" ");
  const holder = Number(pid);
  if (!Number.isSafeInteger(holder) || holder <= 0 || holder === process.pid) return undefined;
  try {
    process.kill(holder, 0);
  } catch (error) {
    // A process of another user runs too.
    if (Object(error).code !== "EPERM") return undefined;
  }
  return start === "" || start === startOf(holder) ? holder : undefined;
}

/** Whether a file was created; false if there was one. */
function create(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (Object(error).code === "EEXIST") return false;
    throw error;
  }
}

/** Locks a folder; returns how to unlock it. @throws StoreError if another process has it */
export function lockFolder(given: string): () => void {
  const folder = resolve(given);
  const file = join(folder, NAME);
  if (own.has(folder))
    throw new StoreError(`${given} is in use by this process; choose another folder`);
  if (!create(file)) {
    const holder = holderOf(file);
    if (holder !== undefined)
      throw new StoreError(
        `${given} is in use by process ${holder}; stop it, or choose another folder (if it is no mrc-explorer, delete ${file})`,
      );
    rmSync(file, { force: true });
    if (!create(file)) throw new StoreError(`${given} was taken by another process just now`);
  }
  own.add(folder);
  return () => {
    own.delete(folder);
    rmSync(file, { force: true });
  };
}
