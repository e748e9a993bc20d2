// npm >= 11.16 leaves an optional platform package out of package-lock.json when the registry in use
// does not have it, and `npm ci` then rejects that same lock file (npm/cli#9846). This puts an entry
// in for each one left out, so that `npm ci` works everywhere and other platforms still get theirs.
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2] ?? new URL("../package-lock.json", import.meta.url);
const text = readFileSync(path, "utf8");
const lock = JSON.parse(text);
const OS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const CPU = [
  "arm64",
  "arm",
  "x64",
  "ia32",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "mips64el",
  "wasm32",
];

/** The place that Node would find `name` at from `from`, if the lock has one. */
function find(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const key = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (lock.packages[key]) return key;
    if (!at) return undefined;
  }
}

const added = [];
for (const [from, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const found = find(from, name);
    if (
      found &&
      (lock.packages[found].version === version || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
    )
      continue;
    const words = name.replace(/^.*\//, "").split(/[-_.]/);
    const os = OS.filter((one) => words.includes(one));
    const cpu = CPU.filter((one) =>
      words.some((word) => word === one || (one === "arm" && word === "arm")),
    );
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version) || (!os.length && !cpu.length)) {
      console.error(`complete-lock: cannot complete ${name}@${version} (wanted by ${from})`);
      process.exitCode = 1;
      continue;
    }
    const libc = words.some((one) => /^musl/.test(one))
      ? ["musl"]
      : words.some((one) => /^gnu/.test(one)) && os[0] === "linux"
        ? ["glibc"]
        : undefined;
    // Beside the others of its parent: at the top unless that place is taken by another version.
    const key = found ? `${from}/node_modules/${name}` : `node_modules/${name}`;
    lock.packages[key] = {
      version,
      ...(cpu.length ? { cpu } : {}),
      ...(entry.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      ...(os.length ? { os } : {}),
    };
    added.push(key);
  }
}
if (added.length) {
  const { "": root, ...rest } = lock.packages;
  const sorted = Object.keys(rest).sort((a, b) => a.localeCompare(b, "en"));
  lock.packages = { "": root, ...Object.fromEntries(sorted.map((key) => [key, rest[key]])) };
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.error(`complete-lock: ${added.length} platform entries added to package-lock.json`);
}
