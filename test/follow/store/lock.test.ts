// Who holds the lock of a store: a process that runs, not one with the same id after it.
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { lockFolder } from "../../../mocks/follow/store/lock.ts";
import { temporaryFolder } from "../../support/project.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder("lock", onTestFinished);
  file = join(folder, "store.lock");
});

test("a folder is locked once, until it is unlocked", () => {
  const unlock = lockFolder(folder);
  expect(readFileSync(file, "utf8")).toMatch(RegExp(`^${process.pid} \\d*\\n$`));
  expect(() => lockFolder(folder)).toThrow("in use by this process");
  unlock();
  lockFolder(folder)();
});

test("a lock whose file somebody deleted is unlocked all the same", () => {
  const unlock = lockFolder(folder);
  rmSync(file);
  unlock();
  lockFolder(folder)();
});

test("a lock left by a process that ended is taken over, whatever it says", () => {
  for (const left of [
    "999999999\n",
    "0\n",
    "-1\n",
    "not a process\n",
    "",
    `${process.pid} 1\n`,
    `${process.pid}\n`,
  ]) {
    writeFileSync(file, left);
    lockFolder(folder)();
  }
});

test("a lock of another user's process is respected", () => {
  writeFileSync(file, "4242\n");
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  expect(() => lockFolder(folder)).toThrow("in use by process 4242; stop it");
  expect(kill).toHaveBeenCalledWith(4242, 0);
  kill.mockRestore();
  lockFolder(folder)();
});

test("a folder that is not there cannot be locked", () => {
  expect(() => lockFolder(join(folder, "none"))).toThrow("ENOENT");
});

test("a lock of a process that runs is respected; one of an earlier process with its id is not", async () => {
  const other = spawn("sleep", ["60"]);
  await new Promise((resolve) => other.once("spawn", resolve));
  try {
    writeFileSync(file, `${other.pid}\n`);
    expect(() => lockFolder(folder)).toThrow(`in use by process ${other.pid}; stop it`);
    if (process.platform !== "linux") return;
    const start = readFileSync(`/proc/${other.pid}/stat`, "latin1")
      .split(") ")
      .at(-1)
      ?.split(" ")[19];
    writeFileSync(file, `${other.pid} ${start}\n`);
    expect(() => lockFolder(folder)).toThrow(`in use by process ${other.pid}; stop it`);
    writeFileSync(file, `${other.pid} ${Number(start) - 1}\n`);
    lockFolder(folder)();
  } finally {
    other.kill();
  }
});
