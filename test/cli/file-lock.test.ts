// Who holds a lock file: a process that runs, never two, and none that has ended.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { lockFile } from "../../src/cli/file-lock.ts";
import { temporaryFolder } from "../support/project.ts";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder("lock", onTestFinished), "file.lock");
});

/** Makes a file look as if nobody had touched it for so many seconds. */
const age = (seconds = 60) => utimesSync(file, new Date(), new Date(Date.now() - 1000 * seconds));

const isLinux = process.platform === "linux";

test("a file is locked once, until it is unlocked", () => {
  const unlock = lockFile(file);
  expect(() => lockFile(file)).toThrow("held by this process");
  unlock();
  lockFile(file)();
});

test("a link in place of a lock is replaced, and its target stays as it is", () => {
  const target = `${file}.target`;
  writeFileSync(target, "of the user");
  symlinkSync(target, file);
  lockFile(file)();
  expect(readFileSync(target, "utf8")).toBe("of the user");
});

test("a lock whose file somebody deleted is unlocked all the same", () => {
  const unlock = lockFile(file);
  rmSync(file);
  unlock();
  lockFile(file)();
});

test("unlocking leaves the lock of another process alone", () => {
  const unlock = lockFile(file);
  writeFileSync(file, "4242 - - another\n");
  unlock();
  expect(readFileSync(file, "utf8")).toContain("another");
});

test.each([
  "999999999\n",
  "0\n",
  "-1\n",
  "not a process\n",
  `${process.pid} 1\n`,
  `${process.pid}\n`,
])("a lock left by a process that has ended is taken over: %j", (text) => {
  writeFileSync(file, text);
  lockFile(file)();
});

test("a lock that a killed process left while it took another over is taken over, too", () => {
  writeFileSync(file, "999999999\n");
  writeFileSync(`${file}.takeover`, "999999998\n");
  lockFile(file)();
});

test("an abandoned lock that another process takes over meanwhile is that process's", () => {
  writeFileSync(file, "999999999\n");
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    writeFileSync(file, `${process.ppid}\n`);
    throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
  });
  expect(() => lockFile(file)).toThrow("held by another process");
  kill.mockRestore();
  writeFileSync(file, "999999999\n");
  writeFileSync(`${file}.takeover`, `${process.ppid}\n`);
  expect(() => lockFile(file)).toThrow(`held by process ${process.ppid}`);
});

test("an empty lock belongs to a process that is about to write its id, unless it is old", () => {
  writeFileSync(file, "");
  expect(() => lockFile(file)).toThrow("held by a process that is starting");
  age();
  lockFile(file)();
});

test.runIf(isLinux)("a lock from another container is respected while its file is touched", () => {
  writeFileSync(file, `${process.pid} - other-boot/pid:[1] token\n`);
  age(20);
  expect(() => lockFile(file)).toThrow("on another machine or in another container");
  age();
  lockFile(file)();
});

test("a lock is touched for as long as it is held", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const unlock = lockFile(file);
  age();
  vi.advanceTimersByTime(5_000);
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(10_000);
  unlock();
});

test("a lock of another user's process is respected", () => {
  writeFileSync(file, "4242\n");
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  expect(() => lockFile(file)).toThrow("held by process 4242");
  kill.mockRestore();
  lockFile(file)();
});

test("a file in a folder that is not there cannot be locked", () => {
  expect(() => lockFile(join(file, "none"))).toThrow("ENOENT");
});

test("a lock of a process that runs is respected; that of an earlier process with its id is not", async () => {
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill());
  await once(other, "spawn");
  writeFileSync(file, `${other.pid}\n`);
  expect(() => lockFile(file)).toThrow(`held by process ${other.pid}`);
  if (!isLinux) return;
  writeFileSync(file, `${other.pid} 1\n`);
  lockFile(file)();
});

test.runIf(isLinux)("a zombie holds no lock", async () => {
  // The shell never waits for its child, which has ended.
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill());
  const [chunk] = await once(parent.stdout, "data");
  const zombie = Number(chunk);
  const state = () => {
    try {
      return readFileSync(`/proc/${zombie}/stat`, "utf8");
    } catch {
      return "not there yet";
    }
  };
  await vi.waitFor(() => expect(state()).toContain(") Z "), 5_000);
  writeFileSync(file, `${zombie}\n`);
  lockFile(file)();
});

test.each([
  ["a free file", undefined],
  ["an abandoned lock", "999999999 1\n"],
])(
  "of four processes that start at once on %s, one holds it",
  async (_, left) => {
    const script = join(file, "../child.mjs");
    const source = fileURLToPath(new URL("../../src/cli/file-lock.ts", import.meta.url));
    writeFileSync(
      script,
      `import { lockFile } from ${JSON.stringify(source)};
let unlock;
process.on("message", ({ file, at }) => {
  if (!file) return unlock = unlock?.();
  while (Date.now() < at);
  try { unlock = lockFile(file); } catch (error) { if (error.holder === undefined) throw error; }
  process.send(unlock !== undefined);
});
process.send("ready");`,
    );
    const children = Array.from({ length: 4 }, () => fork(script));
    onTestFinished(() => {
      for (const child of children) child.kill();
    });
    await Promise.all(children.map((child) => once(child, "message")));
    for (let round = 0; round < 40; round++) {
      const path = join(file, `../${round}.lock`);
      if (left) writeFileSync(path, left);
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send({ file: path, at: Date.now() + 4 });
      const held = (await Promise.all(answers)).flat().filter((answer) => answer === true);
      expect(held.length).toBeLessThanOrEqual(1);
      if (!left) expect(held).toHaveLength(1);
      for (const child of children) child.send({});
    }
  },
  30_000,
);
