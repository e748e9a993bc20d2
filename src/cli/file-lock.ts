// A lock file, which one process holds at a time. The lock of an ended process is taken over.
import { randomUUID } from "node:crypto";
import {
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";

export class FileLockedError extends Error {
  /** The holder in words: "process 4242", "this process". */
  readonly holder: string;

  constructor(file: string, holder: string) {
    super(`${file} is held by ${holder}`);
    this.holder = holder;
  }
}

/** How often a holder touches its lock, and after how long an untouched lock is free. */
const HEARTBEAT_MS = 5_000;
const MAX_SILENCE_MS = 30_000;

/** Stands for a value that the operating system does not provide. */
const UNKNOWN = "-";
/** Stands for the start time of a zombie, which is an ended process. */
const ENDED = "ended";

/** The locks that this process holds. */
const heldLocks = new Set<string>();

/** Returns the state, parent and further fields of a process; none on systems without /proc. */
export function statusFields(pid: number): readonly string[] {
  try {
    // The name of the program, in brackets, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** Returns the start time of a process on Linux, because the system reuses ids. */
function startOf(pid: number): string {
  const fields = statusFields(pid);
  return fields[0] === "Z" ? ENDED : (fields[19] ?? UNKNOWN);
}

/** Identifies the boot and container in which process ids are unique. */
function placeOfIds(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return UNKNOWN;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (Object(error).code === "ENOENT") return undefined;
    throw error;
  }
}

function isRecent(file: string): boolean {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < MAX_SILENCE_MS;
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return Object(error).code === "EPERM";
  }
}

/** Describes the running process that holds a lock; undefined if it has ended. */
function holderOf(file: string, text: string): string | undefined {
  // The holder has created the file, but has not yet written its id.
  if (text === "") return isRecent(file) ? "a process that is starting" : undefined;
  const [id = "", start = UNKNOWN, place = UNKNOWN] = text.trim().split(" ");
  const pid = Number(id);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (place !== UNKNOWN && place !== placeOfIds())
    return isRecent(file) ? `process ${pid} on another machine or in another container` : undefined;
  const running = startOf(pid);
  if (running === ENDED || (start !== UNKNOWN && start !== running)) return undefined;
  if (pid === process.pid)
    return start !== UNKNOWN || heldLocks.has(file) ? "this process" : undefined;
  return isRunning(pid) ? `process ${pid}` : undefined;
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (Object(error).code === "EEXIST") return false;
    throw error;
  }
}

/** Writes the lock, unless another process holds it. */
function acquire(file: string, text: string): void {
  if (create(file, text)) return;
  const currentText = readText(file);
  const holder = currentText === undefined ? "another process" : holderOf(file, currentText);
  if (holder !== undefined) throw new FileLockedError(file, holder);
  // Two processes may see the same abandoned lock. Only the holder of a second lock may replace it.
  const takeover = `${file}.takeover`;
  acquire(takeover, text);
  try {
    if (readText(file) !== currentText) throw new FileLockedError(file, "another process");
    const replacement = `${file}.new`;
    rmSync(replacement, { force: true });
    create(replacement, text);
    // Replaces a symbolic link itself, because its target may be any file of the user.
    renameSync(replacement, file);
  } finally {
    rmSync(takeover, { force: true });
  }
}

/** Locks a file, and returns a function that unlocks it. @throws FileLockedError if it is held */
export function lockFile(path: string): () => void {
  const file = resolve(path);
  if (heldLocks.has(file)) throw new FileLockedError(file, "this process");
  const text = `${process.pid} ${startOf(process.pid)} ${placeOfIds()} ${randomUUID()}\n`;
  acquire(file, text);
  heldLocks.add(file);
  // Processes on other machines cannot see this process, but they see when the file was touched.
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The lock was deleted.
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    heldLocks.delete(file);
    if (readText(file) === text) rmSync(file, { force: true });
  };
}
